import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The repository's folder, without a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/**
 * Runs a program and keeps what it prints.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, quietErrors?: boolean }} [options] `echo` prints the output as it comes as well, `quietErrors` leaves out what goes to stderr
 * @returns {Promise<{ code: number, output: string }>} a program that cannot be started ends with code 127
 */
export function run(command, args, { cwd = root, env = process.env, echo = false, quietErrors = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk
      if (echo) process.stdout.write(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', quietErrors ? () => {} : keep)
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a JavaScript program with the Node that runs this one.
 * @param {string} script relative to the repository
 * @param {readonly string[]} [args]
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, quietErrors?: boolean }} [options]
 */
export function node(script, args = [], options = {}) {
  return run(process.execPath, [`${root}/${script}`, ...args], options)
}

/**
 * The files below a folder, as paths relative to it with forward slashes, sorted; none where there is no such folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesBelow(folder) {
  /** @type {string[]} */
  const found = []
  const walk = (/** @type {string} */ prefix) => {
    for (const entry of listing(`${folder}/${prefix}`)) {
      if (entry.name === 'node_modules') continue
      if (entry.isDirectory()) walk(`${prefix}${entry.name}/`)
      else found.push(`${prefix}${entry.name}`)
    }
  }
  walk('')
  return found.sort()
}

/** @param {string} folder */
function listing(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
