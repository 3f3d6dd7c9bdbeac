// Starts a game that was exported for the web as Godot is started: serves it, plays it in Chromium, and prints what
// its console says.
//
//     node browser.mjs CHROMIUM --path FOLDER [ARGUMENTS...] [-- [--shot=FILE] [--shot-after=SECONDS] ...]
//
// FOLDER has the game's `index.html`. The arguments are Godot's. With `--fixed-fps`, frames follow each other as fast
// as they can. Ends with the game's exit code.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";

const [chromium, ...rest] = process.argv.slice(2);
// Where Godot takes a value after these, an exported game takes none.
const taken = (name) => {
  const at = rest.indexOf(name);
  return at < 0 ? undefined : rest.splice(at, 2)[1];
};
const option = (name) => rest.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1];
const folder = taken("--path");
taken("-s");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const EXIT = "GODOT_EXIT ";

// The page of the export, which starts the game with its arguments and says how it has ended.
const page = (text) =>
  text
    .replace('"args":[]', `"args":${JSON.stringify(rest)}`)
    .replace("engine.startGame({", `engine.startGame({ onExit: (code) => console.log("${EXIT}" + code),`);

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  try {
    const bytes = await readFile(join(folder, path));
    // Games with threads need the last two.
    response.writeHead(200, {
      "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    });
    response.end(path.endsWith(".html") ? page(bytes.toString()) : bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const profile = await mkdtemp(join(tmpdir(), "browser-"));
const flags = [
  "--headless",
  "--no-sandbox",
  "--no-first-run",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--window-size=1280,720",
  `--user-data-dir=${profile}`,
  "--remote-debugging-port=0",
];
const browser = spawn(chromium, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });

async function end(code) {
  browser.kill("SIGKILL");
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => end(143));

let address;
for await (const line of createInterface({ input: browser.stderr })) {
  address = line.split("DevTools listening on ")[1];
  if (address) break;
}
if (!address) {
  console.log(`ERROR: ${chromium} does not start`);
  await end(1);
}
browser.stderr.resume();

const socket = new WebSocket(address);
const answers = new Map();
const call = (method, params = {}, sessionId = undefined) =>
  new Promise((resolve) => {
    const id = answers.size + 1;
    answers.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, sessionId }));
  });
socket.onmessage = ({ data }) => {
  const { id, result, method, params } = JSON.parse(data);
  answers.get(id)?.(result);
  if (method === "Runtime.consoleAPICalled") {
    const text = params.args.map((argument) => argument.value ?? argument.description ?? "").join(" ");
    console.log(text);
    if (text.startsWith(EXIT)) end(Number(text.slice(EXIT.length)));
  } else if (method === "Runtime.exceptionThrown") {
    const { text, exception } = params.exceptionDetails;
    console.log(`ERROR: ${text} ${exception?.description ?? ""}`);
    end(1);
  } else if (method === "Inspector.targetCrashed") {
    console.log("ERROR: the page crashed");
    end(1);
  }
};
await new Promise((resolve) => (socket.onopen = resolve));
const { targetId } = await call("Target.createTarget", { url: "about:blank" });
const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
for (const domain of ["Runtime", "Page", "Inspector"]) await call(`${domain}.enable`, {}, sessionId);
if (rest.includes("--fixed-fps")) {
  const source = `window.requestAnimationFrame = (draw) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => draw(performance.now());
    port2.postMessage(0);
    return 1;
  };`;
  await call("Page.addScriptToEvaluateOnNewDocument", { source }, sessionId);
}
await call("Page.navigate", { url: `http://127.0.0.1:${server.address().port}/index.html` }, sessionId);

const picture = option("shot");
if (picture) {
  setTimeout(async () => {
    const { data } = await call("Page.captureScreenshot", { format: "png" }, sessionId);
    await writeFile(picture, Buffer.from(data, "base64"));
  }, 1000 * Number(option("shot-after") ?? 10));
}
