import { AsyncLocalStorage } from 'node:async_hooks'
import { createSandbox, type Sandbox } from '../../../dev/service/app.ts'
import type { ResponseFault } from '../../../dev/service/faults.ts'
import { DocumentedAnswers } from './documented-answers.ts'

type FaultKind = ResponseFault['kind']

/** What becomes of an answer: it is broken on purpose, or only where it was a success, or as documented all the same. */
const EFFECT: Record<FaultKind, 'broken' | 'success broken' | 'documented'> = {
  status: 'documented',
  hang: 'broken',
  'cut-connection': 'broken',
  html: 'broken',
  'cut-json': 'broken',
  'wrong-envelope': 'broken',
  'inner-status': 'broken',
  empty: 'broken',
  huge: 'broken',
  body: 'broken',
  set: 'success broken',
  patch: 'success broken',
}

const NativeResponse = globalThis.Response
const documented = await createSandbox({ calls: 0 }).app.request('http://127.0.0.1/openapi.json')
const answers = new DocumentedAnswers(await documented.json())

/**
 * Makes each answer of a sandbox fail that isn't what `/openapi.json` says, unless a fault broke it: `fetch`
 * and `request` reject, and over HTTP there is a 500.
 */
export function checkAnswers<T extends Sandbox>(sandbox: T): T {
  const { app, faults } = sandbox
  const requests = new AsyncLocalStorage<{ fault: FaultKind | undefined }>()

  const take = faults.take.bind(faults)
  faults.take = (operation) => {
    const taken = take(operation)
    const request = requests.getStore()
    if (request) request.fault = taken.response?.kind
    return taken
  }

  const { fetch } = app
  app.fetch = (request, env, context) => {
    const met: { fault: FaultKind | undefined } = { fault: undefined }
    return requests.run(met, async () => {
      const response = await fetch(request, env, context)
      const effect = met.fault ? EFFECT[met.fault] : 'documented'
      const isBroken = effect === 'broken' || (effect === 'success broken' && response.status === 200)
      // Read here, the server's own lighter responses would no longer go the shorter way that they are for.
      const isLight = env !== undefined && 'outgoing' in env && globalThis.Response !== NativeResponse
      if (!isBroken && !isLight) await answers.check(request, response)
      return response
    })
  }
  return sandbox
}
