/** How a bundle is made, wherever one is. */

/** Lit's licence asks that its notice travels with copies: once is enough. */
const NOTICE = "/*! lit-html: Copyright Google LLC, SPDX-License-Identifier: BSD-3-Clause */";

/** @type {import("esbuild").BuildOptions & {write: false}} */
export const OPTIONS = {
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  footer: { js: NOTICE },
  // Lit's own parts are called so in no other file. What it writes on nodes keeps its name: a node may stand in a widget of
  // another bundle, where a short name is another part's.
  mangleProps: /^_\$/,
  reserveProps: /^_\$lit/,
};
