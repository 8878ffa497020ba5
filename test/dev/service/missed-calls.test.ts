import { expect, it } from 'vitest'
import { ask, ids, NOW, sandboxAt, walk } from './support.ts'

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

it('accepts requests over HTTP if control is on', async () => {
  const sandbox = sandboxAt(NOW, { control: true })
  const { lively, quiet } = sandbox.accounts
  const post = async (body?: unknown) => {
    const response = await sandbox.app.request('/sandbox/missed-calls', {
      method: 'POST',
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const one = await post()
  expect(one.status).toBe(201)
  expect(one.body).toMatchObject({ account: lively.name, calls: [{ id: lively.calls('incoming')[0]!.id }] })
  const line = quiet.billing.addOn.numbers[1]!.number
  const [agent] = quiet.agents
  await post({ account: quiet.name, count: 5, line, agentId: agent!.id })
  expect(quiet.calls('incoming').slice(0, 5)).toMatchObject(
    Array.from({ length: 5 }, () => ({ number: line, agentId: agent!.id, answered: false })),
  )
  const before = lively.calls('incoming')
  for (const wrong of ['a text', { count: 0 }, { account: 'Nobody' }, { line: '+1' }, { lines: [] }])
    expect(await post(wrong)).toMatchObject({ status: 400, body: { status: '400' } })
  expect(lively.calls('incoming')).toEqual(before)
})
