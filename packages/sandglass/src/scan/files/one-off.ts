import type { Node } from 'oxc-parser'
import type { Source } from '../../model/sourced.js'
import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'

/** What writes a file once: `build-fonts.mjs`. */
const WRITES = /(^|\/)(build|generate|gen|write|sync)[-_.][\w.-]*\.mjs$/
/** Where and under what name that stands which is started again and again, or goes on. */
const GOES_ON =
  /(^|\/)(jobs?|crons?|cron-?jobs?|workers?|tasks?|lambdas?|functions|queues?|consumers?|daemons?)\/|(^|\/)(index|main|server|app|worker|start|bot|cron|job|daemon|consumer)\.\w+$|(cron|job|worker|daemon|consumer|server)s?\.\w+$/i
/** What waits for work, or for the end that somebody else gives it. */
const WAITS =
  /\bsetInterval\(|\bwhile\s*\(\s*(true|1)\b|\bfor\s*\(\s*;|\.(listen|consume|subscribe|process|schedule|brpop|blpop|xread\w*)\(|\bserve\(|\bcreateServer\(|\.on(ce)?\(\s*['"`](message|connection|request|SIG)|\bcron\b/i
/** What a command does for as long as there is more to do. */
const LOOPS = /\bwhile\s*\(\s*(true|1)\b/g
/** `// Run this using node db/manual/fill.js`. */
const SAYS =
  /^[ \t]*(\/\/|\/?\*+|#)[^\n]*\b(run|usage)\b[^\n]{0,60}?[\s`:](node|tsx|ts-node|bun|npx)\s+([\w@.=:/-]+\s+){0,4}?[\w./-]+\.[cm]?[jt]s\b/im
/** How much of a text's start is looked at for that. */
const START = 2000
const ENDS = /\bprocess\.exit\(\s*0?\s*\)|\bwriteFile(Sync)?\(/
/** What a program is called that makes something and is over. */
const MAKES = /(^|\/)(build|generate|gen|write|sync|update|download|fetch|convert|extract)[-_A-Z.][\w.-]*\.[cm]?[jt]s$/
/** `analyze().then(() => process.exit())`: it leaves when its work is done. */
const LEAVES = /\.(then|finally)\(\s*(async\s*)?\(\w*\)\s*=>\s*\{?\s*process\.exit\(\s*0?\s*\)/
/** What such a program calls what it does: `main`, `command`, `migrateOrders`. */
const MAIN =
  /^(main|run|command|execute)$|^(migrate|sync|import|seed|backfill|fix|fill|correct|convert|copy|move|clean(up)?|update)([A-Z]\w*)?$/
/** A folder of what is started by hand. */
const COMMANDS = /(^|\/)commands\//

/** True for a program that gives nothing to others and is over once it has done its work: by its name, by what it says, or because it leaves or writes a file. */
export function isOneOff(module: Module): boolean {
  const { source, program } = module
  if (!isOver(module)) return false
  return WRITES.test(source.file) || SAYS.test(source.text.slice(0, START)) || (ENDS.test(source.text) && ends(program.body.at(-1), source))
}

/** True for a program that gives nothing to others and waits for no work. */
export function isOver({ source: { file, text }, exports, exportsAll }: Module): boolean {
  if (exports.size > 0 || exportsAll.length > 0 || GOES_ON.test(file)) return false
  return !WAITS.test(COMMANDS.test(file) ? text.replaceAll(LOOPS, '') : text)
}

function ends(last: Node | undefined, { file, text }: Source): boolean {
  const starts = startedBy(last)
  if (!last || starts === null) return false
  return MAIN.test(starts) || starts === '' || MAKES.test(file) || LEAVES.test(text.slice(last.start, last.end))
}

/** What the last of a text calls: `main` of `main()`, `main().catch(…)`, `await main()`; nothing of a function that is called where it stands. */
function startedBy(last: Node | undefined): string | null {
  let node: Node | null = last?.type === 'ExpressionStatement' ? last.expression : null
  let isCalled = false
  while (node) {
    if (node.type === 'AwaitExpression' || node.type === 'UnaryExpression') node = node.argument
    else if (node.type === 'ParenthesizedExpression') node = node.expression
    else if (node.type === 'MemberExpression') node = node.object
    else if (node.type === 'CallExpression') {
      node = node.callee
      isCalled = true
    } else if (isFunctionNode(node)) return isCalled ? '' : null
    else return node.type === 'Identifier' ? node.name : null
  }
  return null
}
