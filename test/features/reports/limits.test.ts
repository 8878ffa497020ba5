import { describe, expect, it } from 'vitest'
import type { SandboxCall } from '../../../dev/service/types.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, rowsOf } from '../../support/shown.ts'

const hasTable = ({ blocks }: { blocks: readonly { type: string }[] }) =>
  blocks.some(({ type }) => type === 'table')

describe('a report that is too much', () => {
  const app = useApp({ connected: true })

  it('shows the totals alone beyond 20,000 records, and says so', async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '25000' } }, { operation: 'incoming' })
    const message = await member.command('/calls report')
    expect(message).toShow(
      'Reports read up to 20,000 calls; this range has 25,0',
      "These are the phone service's own totals",
    )
    expect(message).toShow('*Incoming*\n50,000 (no change)', '*Talk time*\n–')
    expect(hasTable(message)).toBe(false)
    expect(message).not.toShow('Incoming calls only')
    expect(actionsOf(message)).toContain('report.filter')
    const ofLine = await member.command('/calls report line:5042')
    expect(ofLine).toShow("The phone service can't count one line by itself.")
    expect(hasTable(ofLine)).toBe(false)
  })

  it('still tells the agents apart', async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '25000' } })
    const message = await member.command('/calls report by:agent')
    const agents = sandbox.accounts.lively.agents.map(({ name }) => name)
    expect(rowsOf(message).map(([name]) => name)).toEqual([...agents, 'Total'])
  })
})

describe('a report that takes its time', () => {
  const app = useApp({ connected: true, readingTimes: { progressAfterMs: 200 } })
  const hasty = useApp({ connected: true, readingTimes: { readForMs: 6000 } })

  /** A service that takes its time, and some sixty pages of calls. */
  function takeTime(ms: number, sandbox = app.sandbox): void {
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
    sandbox.accounts.lively.addCalls(...calls)
    sandbox.faults.always({ kind: 'delay', ms })
  }

  it('says so once, and the report follows', async () => {
    takeTime(50)
    const exchange = await app.member.type('/calls report')
    const first = await exchange.waitForMessage()
    expect(first.text).toMatch(/^Reading about 1,[0-9]00 calls\. This takes about \d seconds?\.$/)
    const report = await app.slack.waitFor(() => exchange.messages[1])
    expect(report).toShow('Call report', '*Incoming*\n1,2')
    expect(exchange.messages).toHaveLength(2)
    expect(app.slack.message(first.ts)).toShow('Reading about')
  })

  it('shows the totals where it would take longer than anybody is kept waiting', async () => {
    takeTime(600, hasty.sandbox)
    const message = await hasty.member.command('/calls report')
    expect(message).toShow('takes too long', '*Incoming*\n1,2')
    expect(hasTable(message)).toBe(false)
  })

  it('can be asked for again where the service stops answering', async () => {
    const { member, sandbox } = app
    let requests = 0
    takeTime(20)
    const stops = () => {
      requests = sandbox.requests.count()
      if (requests > 25) sandbox.faults.always({ kind: 'status', status: 503 })
      else setTimeout(stops, 5)
    }
    stops()
    const exchange = await member.type('/calls report')
    const message = await app.slack.waitFor(
      () => exchange.messages.find(({ text }) => !text.startsWith('Reading')),
      20_000,
    )
    expect(message.text).toContain("The phone service isn't responding.")
    expect(actionsOf(message)).toContain('report.show.retry')
    sandbox.faults.clear()
    // The service is left alone for a while.
    const readAgain = async () => {
      const retried = await member.press(message, 'report.show.retry')
      return app.slack.waitFor(() => retried.messages.find(({ text }) => !text.startsWith('Reading')))
    }
    await expect.poll(async () => readableText(await readAgain())).toContain('Call report')
  })
})
