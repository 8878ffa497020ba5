import { expect, it } from 'vitest'
import { ask, sandboxAtNow } from './support.ts'

const missed = { status: 'Not Answered', from: '05-11-2026', to: '05-11-2026', timezone: '+01:00' }

it('shows a call that is missed now, as the service shows every call', async () => {
  const sandbox = sandboxAtNow()
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
