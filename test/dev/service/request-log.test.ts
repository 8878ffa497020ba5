import { beforeEach, describe, expect, it } from 'vitest'
import { ask, NOW, sandboxAt } from './support.ts'

const sandbox = sandboxAt()
const { lively, quiet } = sandbox.accounts
const { requests } = sandbox

beforeEach(() => requests.clear())

describe('the request log', () => {
  it('records requests and responses', async () => {
    await ask(sandbox, 'outgoing', { page: '2', status: 'Not Answered' })
    await ask(sandbox, 'agents', {}, quiet)
    expect(requests.entries().every(({ ms }) => ms !== undefined && ms >= 0)).toBe(true)
    expect(requests.entries().map(({ ms: _ms, ...entry }) => entry)).toEqual([
      {
        at: NOW,
        method: 'POST',
        operation: 'outgoing',
        params: { timezone: '+00:00', page: '2', status: 'Not Answered' },
        credentials: 'accepted',
        account: lively.name,
        status: 200,
      },
      {
        at: NOW,
        method: 'GET',
        operation: 'agents',
        params: {},
        credentials: 'accepted',
        account: quiet.name,
        status: 200,
      },
    ])
  })

  it('never holds a key or a secret', async () => {
    await ask(sandbox, 'incoming')
    await ask(sandbox, 'incoming', {}, { key: 'a-wrong-key', secret: 'a-wrong-secret' })
    const text = JSON.stringify(requests.entries())
    for (const hidden of [lively.key, lively.secret, 'a-wrong-key', 'a-wrong-secret']) {
      expect(text).not.toContain(hidden)
    }
  })

  it('keeps the latest thousand and counts them all', async () => {
    for (let page = 1; page <= 1010; page++) await ask(sandbox, 'incoming', { page: String(page) }, quiet)
    const entries = requests.entries()
    expect(requests.count()).toBe(1010)
    expect(entries).toHaveLength(1000)
    expect([entries[0]?.params['page'], entries.at(-1)?.params['page']]).toEqual(['11', '1010'])
  })
})
