/*
 * Builds the scripts and styles that pages name, each with all that it imports, into built/scoring/ (`make assets`). With --check it writes
 * nothing, and ends with 1 where a built file is not what the sources make.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { compile } from "sass";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, "built", "scoring");
const NAMES = [
  "style.css",
  "pages.css",
  "chart.ts",
  "scripted.ts",
  "share.ts",
  "evenings/line_up.ts",
  "imports/preview.ts",
  "site/offline.ts",
  "site/phone.ts",
  "site/waiting.ts",
  "site/worker.ts",
  "rulesets/preview.ts",
  "table/cash.ts",
  "table/correct.ts",
  "table/entry.ts",
  "table/late.ts",
  "table/reach.ts",
  "table/watch.ts",
];

// Bootstrap is written for an older sass, which says so at length.
const older = { quietDeps: true, silenceDeprecations: /** @type {any} */ (["import", "global-builtin"]) };
/** @type {import("esbuild").Plugin} */
const sass = {
  name: "sass",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.scss$/ }, ({ path }) => ({
      contents: compile(path, { loadPaths: [join(ROOT, "node_modules")], ...older }).css,
      loader: "css",
    })),
};
const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: NAMES.map((name) => `assets/${name}`),
  outdir: OUT,
  outbase: "assets",
  bundle: true,
  minify: true,
  format: "iife",
  charset: "utf8",
  legalComments: "eof",
  // README.md promises them.
  target: ["safari16", "firefox121", "chrome111"],
  plugins: [sass],
  write: false,
});

/** @type {Map<string, Uint8Array>} */
const made = new Map(outputFiles.map(({ path, contents }) => [relative(OUT, path), contents]));
// The notice that a copy of Bootstrap has to come with.
made.set("bootstrap.LICENSE.txt", readFileSync(join(ROOT, "node_modules/bootstrap/LICENSE")));

if (process.argv.includes("--check")) {
  const there = readdirSync(OUT, { recursive: true }).map(String).filter((name) => statSync(join(OUT, name)).isFile());
  const isBuilt = (/** @type {string} */ name) => there.includes(name) && readFileSync(join(OUT, name)).equals(made.get(name) ?? new Uint8Array());
  const wrong = [...new Set([...made.keys(), ...there])].filter((name) => !isBuilt(name));
  if (wrong.length) {
    console.error(`Out of date in built/scoring/: ${wrong.join(", ")}. Run: make assets`);
    process.exitCode = 1;
  }
} else {
  rmSync(OUT, { recursive: true, force: true });
  for (const [name, contents] of made) {
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    writeFileSync(join(OUT, name), contents);
  }
}
