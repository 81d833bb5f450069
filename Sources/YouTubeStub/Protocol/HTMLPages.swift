/// The pages that Google's front ends send where a JSON answer was expected.
enum HTMLPages {
  static func notFound(_ path: String) -> String {
    page(404, "Not Found", "The requested URL <code>\(HTMLText.escaped(path))</code> was not found on this server.")
  }

  static func failure(_ status: Int) -> String {
    page(
      status, "Server Error",
      "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.")
  }

  private static func page(_ status: Int, _ name: String, _ sentence: String) -> String {
    """
    <!DOCTYPE html>
    <html lang=en><meta charset=utf-8><title>Error \(status) (\(name))!!1</title>
    <p><b>\(status).</b> <ins>That’s an error.</ins><p>\(sentence) <ins>That’s all we know.</ins></html>

    """
  }
}
