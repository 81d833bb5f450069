// The JSON API: one function for reading and one for changing. Whatever goes wrong becomes a Problem with a sentence for people.

/** What an answer of 400 and above says, or that there was none. */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const UNREACHABLE = "The catalogue does not answer. Is tubeline-catalog running?";

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, {credentials: "same-origin", redirect: "error", ...options});
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "unreachable", UNREACHABLE);
  }
  let body;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(response.status, "malformed", `The catalogue answered ${response.status} in a form this page does not know.`);
  }
  if (!response.ok) throw new Problem(response.status, body.code ?? "unknown", body.detail ?? body.title ?? `Status ${response.status}.`);
  return body;
}

/** `/api/…` of encoded parts and parameters; absent parameters are left out. */
export function address(parts, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return `/api/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

export function get(parts, parameters, signal) { return answer(address(parts, parameters), {signal}); }

let giveToken = async () => false;

/** Tells who asks the person for the token when the server wants one. */
export function whenTokenIsWanted(body) { giveToken = body; }

/** POST, PUT or DELETE; asks for the token once when the server wants one. */
export async function change(method, parts, body) {
  const options = {method};
  if (body !== undefined) {
    options.headers = {"Content-Type": "application/json"};
    options.body = JSON.stringify(body);
  }
  try {
    return await answer(address(parts), options);
  } catch (problem) {
    if (problem.status !== 401 || parts[0] === "session" || !(await giveToken())) throw problem;
    return answer(address(parts), options);
  }
}
