import type { Module } from '../syntax/module.js'
import { outOfPackage } from './out-of-package.js'

const PACKAGE = '@azure/functions'
/** What `app` of version 4 registers a function with; `app.hook` and `app.setup` register none. */
const REGISTERS =
  /^(http|get|post|put|patch|deleteRequest|timer|storage(Blob|Queue)|serviceBus(Queue|Topic)|eventHub|eventGrid|cosmosDB|sql|mySql|warmup|webPubSub|mcpTool|generic)$/

/** True for a module that gives Azure a function: `app.timer('name', { handler })` of version 4, or what a `function.json` names, typed as one. */
export function isOfAzure(module: Module): boolean {
  const importsIt = module.program.body.some((node) => node.type === 'ImportDeclaration' && node.source.value === PACKAGE)
  if (!importsIt && !module.requests.includes(PACKAGE)) return false
  return isTyped(module) || module.calls.some((call) => call.type === 'CallExpression' && registers(call.callee, module))
}

function registers(callee: Parameters<typeof outOfPackage>[0], module: Module): boolean {
  const { request, names: [app, trigger = '', ...others] = [] } = outOfPackage(callee, module) ?? {}
  return request === PACKAGE && app === 'app' && REGISTERS.test(trigger) && others.length === 0
}

/** `const run: AzureFunction = async (context) => …` of version 3. */
function isTyped({ program, exports }: Module): boolean {
  const declares = program.body.some(
    (node) =>
      node.type === 'ImportDeclaration' &&
      node.source.value === PACKAGE &&
      node.specifiers.some((each) => each.type === 'ImportSpecifier' && each.local.name === 'AzureFunction'),
  )
  return declares && exports.size > 0
}
