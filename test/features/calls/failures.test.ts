import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getActions, getRows } from '../../support/shown.ts'

const app = useApp({ connected: true })

/** Part of the error message for a failing service. */
const away = "isn't responding"

describe('failures of the service', () => {
  it.each([
    ['401', { kind: 'status', status: 401 }, 'no longer accepts'],
    ['400', { kind: 'status', status: 400 }, 'refused this request'],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }, 'asks Callboard to wait'],
    ['500', { kind: 'status', status: 500 }, away],
    ['HTML', { kind: 'html' }, away],
    ['cut JSON', { kind: 'cut-json' }, away],
    ['a wrong envelope', { kind: 'body', body: '{"ok":true,"data":[]}' }, away],
    ['a cut connection', { kind: 'cut-connection' }, away],
    ['no response', { kind: 'hang' }, away],
    ['no calls, but a total', { kind: 'set', envelope: { total_record: '50', result: [] } }, away],
    ['404', { kind: 'status', status: 404 }, 'something went wrong in Callboard'],
  ] as const)('%s', async (_name, fault, words) => {
    const { member, sandbox } = app
    sandbox.faults.always(fault, { operation: 'incoming' })
    const message = await member.command('/calls missed')
    expect(message).toShow(words)
    sandbox.faults.clear()
    const isOffered = getActions(message).includes('calls.retry')
    expect(isOffered).toBe(!['no longer accepts', 'refused this request'].includes(words))
    if (isOffered) expect(getRows(await member.click(message, 'calls.retry'))).toHaveLength(20)
  })

  it('describe a request that the service refuses', async () => {
    app.sandbox.faults.next({ kind: 'status', status: 400 }, { operation: 'outgoing' })
    const refused = await app.member.command('/calls outgoing missed 2026-11-05 page:3')
    expect(refused.text).toMatch(/unanswered outgoing calls, 5 Nov( \d{4})?, page 3/)
  })

  it('describe the request if the agents of a list fail, with a way to try again', async () => {
    const { member, sandbox, clock } = app
    const fail = () => {
      // The agents that were read before are out of date.
      clock.ahead += 120_000
      sandbox.faults.next({ kind: 'status', status: 503 }, { times: 3, operation: 'agents' })
    }
    fail()
    const refused = await member.command('/calls missed 2026-11-05 agent:hollis')
    expect(refused).toShow(away)
    expect(await member.click(refused, 'command.again')).toShow('Hollis Grant: ', ' missed calls')
    const agents = await member.command('/agents hollis')
    fail()
    const failed = await member.click(agents, 'agents.calls')
    expect(await member.click(failed, 'calls.retry')).toShow('incoming calls')
  })

  it('are shown on the message of a submitted form, with a way to try again', async () => {
    const { member, sandbox } = app
    const message = await member.command('/calls outgoing')
    const modal = await member.open(message, 'calls.filter')
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'outgoing' })
    await member.submit(modal, { status: 'missed' })
    const shown = await member.click(await member.sees(message, away), 'calls.retry')
    expect(shown).toShow('unanswered outgoing calls')
  })
})

describe('forged input', () => {
  const forged = ['', '{', '{"page":0,"direction":"incoming"}', '{"page":"2","direction":"incoming"}', '[]']

  it.each(forged)('a button with the forged value %j gets a plain apology', async (value) => {
    const { member, slack, url } = app
    const message = await member.command('/calls')
    const clicked = await slack.clickRaw(url, { message, action: { action_id: 'calls.page.next', value } })
    expect(await clicked.waitForMessage()).toShow("can't be used any more")
  })

  it('odd values from the service neither mention people nor break a message', async () => {
    const { member, sandbox, slack } = app
    sandbox.faults.always({
      kind: 'patch',
      patch: (record: Record<string, unknown>) => ({
        ...record,
        'DID number': '<!channel> & co',
        'Dialed Number': '<!channel> & co',
        Cost: 'x'.repeat(5000),
        Status: '',
        'Date Time': '<@U123>'.repeat(700),
      }),
    })
    const inTable = await member.command('/calls')
    expect(inTable).toShow('Number called &lt;!channel&gt; &amp; co')
    slack.refusedBlocks.add('table')
    const inLines = await member.click(inTable, 'calls.direction')
    slack.takeViolations()
    expect(inLines).not.toShow('<!channel>')
    expect(inLines).toShow('&lt;!channel&gt;')
  })
})
