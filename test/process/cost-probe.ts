import { createHook } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import type { Costs } from './cost-process.ts'

// Loaded into the app before its start: counts its work, and reports the counts since the last SIGUSR2.

const none: Costs = { modules: 0, statements: 0, promises: 0, timers: 0 }
let costs = { ...none }

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) costs.modules += 1
    return next(url, context)
  },
})
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (text) {
  const statement = prepare.call(this, text)
  return new Proxy(statement, {
    get(target, name) {
      if (name === 'run' || name === 'get' || name === 'all') costs.statements += 1
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
createHook({
  init(_, type) {
    if (type === 'PROMISE') costs.promises += 1
    if (type === 'Timeout' || type === 'Immediate') costs.timers += 1
  },
}).enable()

process.on('SIGUSR2', () => {
  process.stdout.write(`${JSON.stringify({ costs })}\n`)
  costs = { ...none }
})
