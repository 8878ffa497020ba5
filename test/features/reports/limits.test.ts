import { describe, expect, it } from 'vitest'
import type { SandboxAgent, SandboxCall } from '../../../dev/service/types.ts'
import { useApp } from '../../support/app.ts'
import { getActions } from '../../support/shown.ts'

const hasTable = ({ blocks }: { blocks: readonly { type: string }[] }) =>
  blocks.some(({ type }) => type === 'data_table')

describe('a report that is too much', () => {
  const app = useApp({ connected: true })

  it('shows only the totals beyond 20,000 records, with working actions only', async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '25000' } }, { operation: 'incoming' })
    const message = await member.command('/calls report')
    expect(message).toShow(
      'There are too many calls for a full report, so here are just the totals.',
      'Pick fewer days to see the rest.',
    )
    expect(message).toShow('*Incoming*\n25,000', '*Missed*\n25,000')
    expect(message).not.toShow('Compared with', 'Talk time')
    expect(hasTable(message)).toBe(false)
    expect(getActions(message)).toContain('report.filter')
    expect(getActions(message)).not.toContain('report.by')
  })

  it("has no totals of one line, which the service can't count", async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '25000' } }, { operation: 'incoming' })
    const message = await member.command('/calls report line:5042')
    expect(message).toShow('There are too many calls for a full report. Pick fewer days')
    expect(message).not.toShow('totals', '*Incoming*')
  })

  it('reads the lists of up to 50 agents', async () => {
    const { member, sandbox } = app
    const agents = sandbox.accounts.lively.agents as SandboxAgent[]
    const like = agents[0]!
    for (let n = agents.length; n < 50; n += 1)
      agents.push({ ...like, id: String(9000 + n), name: `Agent ${n}` })
    const table = await member.command('/calls report by:agent')
    expect(hasTable(table)).toBe(true)
    agents.push({ ...like, id: '9051', name: 'Agent 51' })
    app.clock.ahead += 11 * 60_000
    sandbox.requests.clear()
    const message = await member.command('/calls report by:agent')
    expect(message).toShow('A table by agent has up to 50 agents, so here are just the totals.')
    expect(hasTable(message)).toBe(false)
    expect(sandbox.requests.entries().filter(({ params }) => 'agentid' in params)).toEqual([])
    expect(hasTable(await member.click(message, 'report.by', 'day'))).toBe(true)
  })
})

describe('a service whose list is empty although it counts calls', () => {
  const app = useApp({ connected: true })

  it("isn't shown as one without calls", async () => {
    app.sandbox.faults.always({ kind: 'set', envelope: { result: [] } }, { operation: 'incoming' })
    const message = await app.member.command('/calls report')
    expect(message).not.toShow('No incoming calls')
    expect(getActions(message)).toContain('report.show.retry')
  })
})

describe('a slow report', () => {
  const app = useApp({ connected: true, readingTimes: { progressAfterMs: 200 } })

  /** Slow pages, and some sixty pages of calls. */
  function takeTime(ms: number): void {
    const calls = Array.from(
      { length: 1200 },
      (_, index): SandboxCall => ({
        id: `slow-${index}`,
        direction: 'incoming',
        number: '+493023125042',
        at: new Date(Math.floor(Date.now() / 1000) * 1000 - (60 + index) * 60_000),
        seconds: 61,
        answered: index % 2 === 0,
        cost: '0.01',
        recording: '',
        agentId: '1001',
      }),
    )
    app.sandbox.accounts.lively.addCalls(...calls)
    app.sandbox.faults.always({ kind: 'delay', ms })
  }

  it('is announced once, before the report', async () => {
    takeTime(50)
    const exchange = await app.member.type('/calls report')
    const first = await exchange.waitForMessage()
    expect(first.text).toMatch(/^Reading about 1,[0-9]00 calls\. This takes about \d+ s/)
    const report = await app.slack.waitFor(() => exchange.messages[1])
    expect(report).toShow(': 1,2', '*Incoming*\n1,2')
    expect(exchange.messages).toHaveLength(2)
    expect(app.slack.message(first.ts)).toShow('Reading about')
  })
})
