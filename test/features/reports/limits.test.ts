import { describe, expect, it } from 'vitest'
import type { SandboxAgent } from '../../../dev/service/types.ts'
import { useApp } from '../../support/app.ts'
import { getActions } from '../../support/shown.ts'

const hasTable = ({ blocks }: { blocks: readonly { type: string }[] }) =>
  blocks.some(({ type }) => type === 'data_table')

describe('a report', () => {
  const app = useApp({ connected: true })

  it('shows only totals beyond 20,000 records, with working actions only', async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '25000' } }, { operation: 'incoming' })
    await member.command('/calls')
    sandbox.requests.clear()
    const message = await member.command('/calls report')
    expect(sandbox.requests.count()).toBe(3)
    const note = 'This is too much to read at once, so here are just the totals. Pick fewer days.'
    expect(message).toShow(note, ': 25,000 calls, 25,000 missed (100%)')
    expect(message).not.toShow('Compared with', 'Talk time')
    expect(hasTable(message)).toBe(false)
    expect(getActions(message)).toContain('report.filter')
    expect(getActions(message)).not.toContain('report.by')
    // The service can't count the calls of one line.
    const ofLine = await member.command('/calls report line:5042')
    expect(ofLine).toShow('This is too much to read at once. Pick fewer days.')
    expect(ofLine).not.toShow('totals', '25,000')
    const answered = await member.command('/calls report answered')
    expect(answered).toShow(': 25,000 answered incoming calls')
    expect(answered).not.toShow(' missed')
  })

  it('reads the lists of up to 50 agents', async () => {
    const { member, sandbox } = app
    const agents = sandbox.accounts.lively.agents as SandboxAgent[]
    const like = agents[0]!
    for (let n = agents.length; n < 50; n += 1)
      agents.push({ ...like, id: String(9000 + n), name: `Agent ${n}` })
    expect(hasTable(await member.command('/calls report by:agent'))).toBe(true)
    agents.push({ ...like, id: '9051', name: 'Agent 51' })
    app.clock.ahead += 11 * 60_000
    sandbox.requests.clear()
    const message = await member.command('/calls report by:agent')
    expect(message).toShow('so here are just the totals. Pick fewer days, one agent or another table.')
    expect(hasTable(message)).toBe(false)
    expect(sandbox.requests.entries().filter(({ params }) => 'agentid' in params)).toEqual([])
    expect(hasTable(await member.click(message, 'report.by', 'day'))).toBe(true)
  })

  it("isn't shown as one without calls if the service counts calls and returns none", async () => {
    app.sandbox.faults.always({ kind: 'set', envelope: { result: [] } }, { operation: 'incoming' })
    const message = await app.member.command('/calls report')
    expect(message).not.toShow('No incoming calls')
    expect(getActions(message)).toContain('report.show.retry')
  })
})

describe('a slow report', () => {
  const app = useApp({ connected: true, runtime: { readingTimes: { progressAfterMs: 200 } } })

  it('is announced once, before the report', async () => {
    const { lively } = app.sandbox.accounts
    const [like] = lively.calls('incoming')
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    for (let n = 0; n < 1200; n += 1) lively.addCalls({ ...like!, id: `slow-${n}`, at: minutesAgo(60 + n) })
    app.sandbox.faults.always({ kind: 'delay', ms: 50 })
    const exchange = await app.member.type('/calls report')
    const first = await exchange.waitForMessage()
    expect(first.text).toMatch(/^Reading about 1,\d{3} calls\. This takes about \d+ s/)
    expect(await app.slack.waitFor(() => exchange.messages[1])).toShow(': 1,2', '*Incoming*\n1,2')
    expect(exchange.messages).toHaveLength(2)
    expect(app.slack.message(first.ts)).toShow('Reading about')
  })
})
