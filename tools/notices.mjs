import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { root } from './workspace.mjs'

/**
 * The licence notices of every third-party package whose code is in the bundles or copied beside them, as one text.
 * @param {readonly string[]} bundles names of bundles whose metafile the build has kept; those not built are left out
 * @param {readonly string[]} copied files that are published as they are
 * @returns {string}
 */
export function noticesOf(bundles, copied) {
  const folders = new Set([...bundles.flatMap(inputsOf), ...copied].flatMap(packageFolder))
  const notices = [...folders].sort().map(noticeOf)
  return `${['The published files contain code of these packages.', ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function inputsOf(/** @type {string} */ bundle) {
  const file = `${root}/.cache/bundle-${bundle}.meta.json`
  return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')).inputs) : []
}

/** `node_modules/zod/v4/core.js` is a file of `node_modules/zod`; a generated file says on its first line from which package it was made. */
function packageFolder(/** @type {string} */ input) {
  if (input.endsWith('.generated.ts')) {
    const source = /^\/\/.* from the package ([@\w/.-]+)[;,. ]/.exec(readFileSync(`${root}/${input}`, 'utf8').slice(0, 200))
    return source?.[1] ? [`node_modules/${source[1]}`] : []
  }
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)
  return found?.[1] ? [found[1]] : []
}

function noticeOf(/** @type {string} */ folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8'))
  const file = readdirSync(`${root}/${folder}`).find((entry) => /^(licen[cs]e|copying)(\.|-|$)/i.test(entry))
  if (!license || !file) throw new Error(`${name} ${version} names no licence or ships no licence text; it cannot be bundled`)
  return `${name} ${version} (${license})\n\n${readFileSync(`${root}/${folder}/${file}`, 'utf8').trim()}`
}
