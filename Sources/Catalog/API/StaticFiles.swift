import CCatalogFiles
import HTTPServer

/// The files of the page, which lie inside the executable.
enum StaticFiles {
  struct File {
    let name: String
    let bytes: [UInt8]
    let type: String
    let tag: String
  }

  private static let files: [String: File] = {
    var files: [String: File] = [:]
    for index in 0..<tl_catalog_files_count {
      let entry = tl_catalog_files[index]
      let name = String(cString: entry.name)
      let bytes = Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
      files[name] = File(name: name, bytes: bytes, type: type(of: name), tag: tag(bytes))
    }
    return files
  }()

  static var names: [String] { files.keys.sorted() }

  static func bytes(_ name: String) -> [UInt8]? { files[name]?.bytes }

  /// nil where there is no such file. `/` is index.html, and so is an address without an ending: the page's own script reads it.
  static func answer(_ request: HTTPServer.Request) -> HTTPServer.Response? {
    guard request.method == "GET" || request.method == "HEAD" else { return Problem.method(["GET", "HEAD"]).response }
    var name = String(request.path.dropFirst())
    if name.isEmpty || !name.contains(".") { name = "index.html" }
    guard name != "openapi.json", let file = files[name] else { return nil }
    // The tag changes with the program, and asking for it costs little: no page of another version mixes with these files.
    let headers = [HTTPServer.Header("ETag", file.tag), HTTPServer.Header("Cache-Control", "no-cache")]
    if request.header("if-none-match").map({ $0 == "*" || $0.contains(file.tag) }) == true {
      return HTTPServer.Response(status: 304, headers: headers)
    }
    return HTTPServer.Response(headers: headers + [HTTPServer.Header("Content-Type", file.type)], body: file.bytes)
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "txt": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }

  private static func tag(_ bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
  }
}
