import pico from 'picocolors'
import { type Palette, plainPalette, type TextStyle } from '../report/palette.js'
import type { Output } from './system.js'

type Env = Readonly<Record<string, string | undefined>>

const PIPED_WIDTH = 100
const LEAST_WIDTH = 40

/** Width, colour and letters for an output: 100 columns, no colour and ASCII where it is no terminal. */
export function textStyleFor(output: Output, env: Env): TextStyle {
  const width = Math.max(LEAST_WIDTH, output.columns ?? PIPED_WIDTH)
  return { palette: paletteFor(output, env), width, ascii: !output.isTerminal || env['TERM'] === 'dumb' }
}

/** Colours for an output: `NO_COLOR` and `FORCE_COLOR` decide, else whether it is a terminal that is not dumb. */
export function paletteFor(output: Output, env: Env): Palette {
  if (!isColoured(output, env)) return plainPalette
  const colours = pico.createColors(true)
  return {
    error: (text) => colours.bold(colours.red(text)),
    warning: (text) => colours.bold(colours.yellow(text)),
    info: (text) => colours.bold(colours.cyan(text)),
    strong: colours.bold,
    faint: colours.dim,
    place: colours.cyan,
    good: colours.green,
  }
}

function isColoured(output: Output, env: Env): boolean {
  if (env['NO_COLOR']) return false
  const force = env['FORCE_COLOR']
  if (force !== undefined) return force !== '0' && force !== 'false'
  return output.isTerminal && env['TERM'] !== 'dumb'
}
