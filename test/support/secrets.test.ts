import { expect, it } from 'vitest'
import { createSandbox } from '../../dev/service/app.ts'
import { leakedSecrets } from './secrets.ts'

const sandbox = createSandbox({ calls: 20 })
const [agent] = sandbox.accounts.lively.agents
const password = agent?.sipPassword ?? ''
const call = (method: string, args: object) => ({ method, args: { ...args }, team: 'T1' })
const reveal = call('views.update', { view: { blocks: [{ type: 'section', text: password }] } })
const leaky = [
  [[call('chat.postMessage', { text: password })], [], []],
  [[call('views.update', { view: { blocks: [{ action_id: 'x' }, { text: agent?.webphone }] } })], [], []],
  [[], [`{"text":"${password}"}`], []],
  ...[password, sandbox.accounts.lively.secret, 'xoxb-1', '/actions/T1/1000/x', '/upload/x'].map(
    (secret) => [[], [], [`a log line with ${secret}`]] as const,
  ),
] as const

it('finds secrets outside their modal', () => {
  expect(leakedSecrets({ calls: [reveal], acknowledged: [''] }, sandbox, ['a line'])).toEqual([])
  for (const [calls, acknowledged, written] of leaky) {
    expect(leakedSecrets({ calls, acknowledged }, sandbox, written)).toHaveLength(1)
  }
})
