/** What each compiler writes in all that it writes: emscripten its environments, wasm-bindgen the names of what it imports. */
const WRITTEN: readonly (readonly RegExp[])[] = [
  [/\bENVIRONMENT_IS_WEB\b\s*=/, /\bENVIRONMENT_IS_WORKER\b\s*=/],
  [/\b__wbindgen_\w+/, /\bWebAssembly\.instantiate/],
]

/** True for JavaScript that a compiler wrote beside its WebAssembly, to load it in whatever it is started in. */
export function isWasmGlue({ file, text }: { readonly file: string; readonly text: string }): boolean {
  return /\.[cm]?js$/.test(file) && WRITTEN.some((signs) => signs.every((sign) => sign.test(text)))
}
