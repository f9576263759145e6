// The chart library of the simulation's page, as a module: pages are self-contained, so its text is put into them.
import { readFileSync } from 'node:fs'

/**
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function generate(root) {
  const read = (/** @type {string} */ file) => readFileSync(`${root}/node_modules/uplot/${file}`, 'utf8').trim()
  const { version } = JSON.parse(read('package.json'))
  const notice = `/*! uPlot ${version}\n${read('LICENSE').replaceAll('*/', '* /')}\n*/\n`
  const script =
    notice +
    read('dist/uPlot.iife.min.js')
      .replace(/^\/\*!.*?\*\/\s*/s, '')
      .replaceAll('</script', '<\\/script')
  const lines = [
    '// Written by tools/generate-uplot.mjs from the package uplot; do not edit.',
    '',
    '/** uPlot with its licence, for a script element; makes the global `uPlot`. */',
    `export const uplotScript: string = ${JSON.stringify(script)}`,
    '',
    '/** Its style sheet. */',
    `export const uplotStyle: string = ${JSON.stringify(read('dist/uPlot.min.css'))}`,
    '',
  ]
  return { 'packages/sandglass/src/report/uplot.generated.ts': lines.join('\n') }
}
