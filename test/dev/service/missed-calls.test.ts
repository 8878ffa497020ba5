import { expect, it } from 'vitest'
import { ask, ids, sandboxAt, walk } from './support.ts'

const missed = { status: 'Not Answered', from: '05-11-2026', to: '05-11-2026', timezone: '+01:00' }

it('shows a call that is missed now, as the service shows every call', async () => {
  const sandbox = sandboxAt()
  const { lively } = sandbox.accounts
  const before = await ask(sandbox, 'incoming', missed)
  const call = lively.missCalls(1)[0]!
  const after = await ask(sandbox, 'incoming', missed)
  expect(Number(after.body.total_record)).toBe(Number(before.body.total_record) + 1)
  expect(after.body.result[0]).toMatchObject({
    id: call.id,
    'Date Time': '2026-11-05 02:37:42 PM',
    Status: 'NOTANSWERED',
  })
  expect(after.body.result.slice(1)).toEqual(before.body.result.slice(0, 19))
  expect(lively.billing.addOn.numbers.map(({ number }) => number)).toContain(call.number)
})

it('accepts a line and an agent of the account, and no others', async () => {
  const sandbox = sandboxAt()
  const { lively, quiet } = sandbox.accounts
  const line = lively.billing.addOn.numbers[2]!.number
  const [agent, other] = lively.agents
  const ofAgent = lively.missCalls(1, { line, agentId: agent!.id })[0]!
  const ofNobody = lively.missCalls(1, { line })[0]!
  expect(ofAgent.number).toBe(line)
  const found = async (agentid: string) => ids(await walk(sandbox, 'incoming', { ...missed, agentid }))
  expect(await found(agent!.id)).toContain(ofAgent.id)
  expect(await found(other!.id)).not.toContain(ofAgent.id)
  for (const { id } of lively.agents) expect(await found(id)).not.toContain(ofNobody.id)
  const elsewhere = quiet.billing.addOn.numbers[0]!.number
  expect(() => lively.missCalls(1, { line: elsewhere })).toThrow(RangeError)
  expect(() => lively.missCalls(1, { agentId: '9999' })).toThrow(RangeError)
})
