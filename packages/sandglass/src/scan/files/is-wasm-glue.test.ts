import { expect, test } from 'vitest'
import { isWasmGlue } from './is-wasm-glue.js'

const OF_EMSCRIPTEN = `var ENVIRONMENT_IS_WEB = typeof window === 'object'\nvar ENVIRONMENT_IS_WORKER = false\nif (ENVIRONMENT_IS_WEB) fetch('a.wasm')`
const OF_BINDGEN = `imports.wbg.__wbindgen_throw = () => {}\nWebAssembly.instantiateStreaming(fetch('a.wasm'), imports)`

test.each([
  ['what emscripten wrote', 'kit.js', OF_EMSCRIPTEN, true],
  ['what wasm-bindgen wrote', 'kit_bg.mjs', OF_BINDGEN, true],
  ['what asks for an environment', 'a.js', `if (kit.ENVIRONMENT_IS_WEB) fetch('http://a')`, false],
  ['what loads WebAssembly by hand', 'a.js', `WebAssembly.instantiateStreaming(fetch('a.wasm'))`, false],
  ['another language', 'kit.ts', OF_EMSCRIPTEN, false],
])('%s', (_, file, text, expected) => {
  expect(isWasmGlue({ file, text })).toBe(expected)
})
