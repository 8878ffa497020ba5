import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { buttonsOf, rowsOf, useHouse } from '../../support/app.ts'

const house = useHouse()
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])

describe('/calls', () => {
  it('shows the first page to the asking person alone, with a numeric page in each paging button', async () => {
    const { connect, ask, slack, sandbox } = house()
    await connect()
    const message = await ask('')
    const calls = sandbox.accounts.lively.calls('incoming')
    expect(message.onlyFor).toBe(slack.people.member.id)
    expect(rowsOf(message)).toHaveLength(20)
    expect(rowsOf(message).map((row) => row[1])).toEqual(calls.slice(0, 20).map(({ number }) => number))
    expect(textOf(message)).toContain(`Page 1 of ${Math.ceil(calls.length / 20)} · 1–20 of ${calls.length}`)
    const paging = buttonsOf(message).filter(({ action_id }) => action_id.startsWith('calls.page.'))
    expect(paging.map(({ action_id }) => action_id)).toEqual(['calls.page.next', 'calls.page.last'])
    expect(JSON.parse(paging[0]?.value ?? '')).toEqual({ direction: 'incoming', page: 2 })
  })

  it.each(['incoming', 'outgoing'] as const)(
    'visits every %s record exactly once by its buttons, through a restart',
    async (direction) => {
      const { connect, ask, click, restart, sandbox } = house()
      await connect()
      let message = await ask(direction)
      const expected = sandbox.accounts.lively.calls(direction).length
      const seen: string[] = []
      for (let page = 1; ; page += 1) {
        seen.push(...rowsOf(message).map((row) => row.slice(0, 5).join('|')))
        if (page === 2) await restart()
        if (!buttonsOf(message).some(({ action_id }) => action_id === 'calls.page.next')) break
        message = await click(message, 'calls.page.next')
      }
      expect(seen).toHaveLength(expected)
      expect(new Set(seen).size).toBe(expected)
      const first = await click(message, 'calls.page.first')
      expect(rowsOf(first).map((row) => row.slice(0, 5).join('|'))).toEqual(seen.slice(0, 20))
      expect(first.ts).toBe(message.ts)
    },
  )

  it('names what it does not understand, and fetches nothing', async () => {
    const { connect, ask, sandbox } = house()
    await connect()
    sandbox.requests.clear()
    const message = await ask('mised agent:Anna Smith page:0 from:tomorrow')
    for (const part of ['mised', 'agent:\\"Anna Smith\\"', 'pages count from 1', 'from:tomorrow']) {
      expect(textOf(message)).toContain(part)
    }
    expect(sandbox.requests.count()).toBe(0)
  })

  it('finds an agent by a part of the name, and asks which where several fit', async () => {
    const { connect, ask } = house()
    await connect()
    expect(textOf(await ask('agent:anna'))).toContain('fits several agents')
    const hollis = await ask('outgoing agent:“Hollis Grant”')
    expect(textOf(hollis)).toContain('1–20 of 40')
    expect(textOf(hollis)).toContain('agent Hollis Grant')
  })

  it('switches the direction and keeps the filters, refreshes, and filters by the modal', async () => {
    const { connect, ask, click, slack, url } = house()
    await connect()
    const missed = await ask('missed')
    expect(new Set(rowsOf(missed).map((row) => row[3]))).toEqual(new Set(['Missed']))
    const outgoing = await click(missed, 'calls.direction')
    expect(textOf(outgoing)).toContain('Outgoing calls')
    expect(new Set(rowsOf(outgoing).map((row) => row[3]))).toEqual(new Set(['Missed']))

    const refreshed = await slack.click(url, {
      message: outgoing,
      action_id: 'calls.more',
      choose: 'refresh',
    })
    expect(rowsOf(await refreshed.waitForMessage())).toEqual(rowsOf(outgoing))

    const opened = await slack.click(url, { message: outgoing, action_id: 'calls.filter' })
    const view = await opened.waitForView()
    const suggested = await slack.suggest(url, { view, action_id: 'calls.agent', value: 'holl' })
    expect(suggested.options?.map(({ text }) => text.text)).toEqual(['Hollis Grant'])
    const wrong = await slack.submit(url, { view, values: { from: '2026-11-05', to: '2026-11-01' } })
    expect(wrong.ackBody).toMatchObject({ response_action: 'errors', errors: { to: expect.any(String) } })
    await slack.submit(url, {
      view,
      values: { from: null, to: null, status: 'any', 'calls.agent': suggested.options?.[0] ?? '' },
    })
    const shown = await slack.waitFor(() => {
      const now = slack.message(outgoing.ts)
      return now && textOf(now).includes('agent Hollis Grant') ? now : undefined
    })
    expect(textOf(shown)).toContain('of 40')
  })

  it('says what an empty list and a page past the end are, and offers a way on', async () => {
    const { connect, ask, sandbox } = house()
    await connect(sandbox.accounts.quiet)
    expect(textOf(await ask('outgoing'))).toContain('There are no outgoing calls yet')
    const past = await ask('page:9')
    expect(textOf(past)).toContain('There is no page 9: the list has one page')
    expect(buttonsOf(past).map(({ action_id }) => action_id)).toContain('calls.page.first')
  })

  it('answers in text lines where Slack refuses the table, in the same answer', async () => {
    const { connect, ask, slack } = house()
    await connect()
    slack.refuseTables = true
    const message = await ask('')
    expect(message.blocks.some(({ type }) => type === 'table')).toBe(false)
    expect(textOf(message)).toMatch(/Answered|Missed/)
    slack.takeViolations()
    slack.refuseTables = false
    expect((await ask('')).blocks.some(({ type }) => type === 'table')).toBe(false)
  })

  it('rides in the acknowledgement once the workspace has taken a table', async () => {
    const { connect, ask } = house()
    await connect()
    expect((await ask('')).via).toBe('response_url')
    expect((await ask('')).via).toBe('ack')
  })

  it('works under the long name, and helps', async () => {
    const { connect, say } = house()
    await connect()
    expect(rowsOf(await (await say('calls missed', undefined, '/callboard')).waitForMessage())).toHaveLength(
      20,
    )
    expect(textOf(await (await say('', undefined, '/callboard')).waitForMessage())).toContain(
      '/calls timezone',
    )
    expect(textOf(await (await say('help')).waitForMessage())).toContain('last 7 days')
  })

  it('keeps the later of two quick clicks, whichever answer is ready first', async () => {
    const { connect, ask, slack, url, sandbox } = house()
    await connect()
    const message = await ask('')
    sandbox.faults.next({ kind: 'delay', ms: 600 }, { operation: 'incoming' })
    await slack.click(url, { message, action_id: 'calls.page.last' })
    await slack.click(url, { message, action_id: 'calls.page.next' })
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(textOf(slack.message(message.ts) ?? message)).toContain('Page 2 of')
  })
})

describe('zones', () => {
  it("shows and sets the channel's zone, and the times with it", async () => {
    const { connect, ask } = house()
    await connect()
    expect(textOf(await ask('timezone berln'))).toContain('is no time zone')
    expect(textOf(await ask('timezone asia/kathmandu'))).toContain('Asia/Kathmandu (UTC+05:45)')
    const nepal = rowsOf(await ask('outgoing'))
    await ask('timezone +00:00')
    const utc = rowsOf(await ask('outgoing'))
    const gap = Date.parse(`${nepal[0]?.[0]}Z`) - Date.parse(`${utc[0]?.[0]}Z`)
    expect(gap).toBe((5 * 60 + 45) * 60_000)
    expect(textOf(await ask('timezone default'))).toContain('Took back')
  })
})

describe('a clock change', () => {
  it('within the range is told under the table, and each time is that of its own instant', async () => {
    const { connect, ask } = house()
    await connect()
    await ask('timezone Europe/Berlin')
    const year = new Date().getUTCFullYear()
    const last = new Date(Date.UTC(year, 10, 1))
    // The last Sunday of October, of this year where it is over and of the year before otherwise.
    const over = last.getTime() <= Date.now() ? last : new Date(Date.UTC(year - 1, 10, 1))
    const sunday = new Date(over.getTime() - (over.getUTCDay() === 0 ? 7 : over.getUTCDay()) * 86_400_000)
    const day = (n: number) => new Date(sunday.getTime() + n * 86_400_000).toISOString().slice(0, 10)
    const message = await ask(`${day(-1)}..${day(1)}`)
    expect(textOf(message)).toContain('The clocks changed on')
    expect(textOf(message)).toContain('from UTC+02:00 to UTC+01:00')
    expect(textOf(await ask(`${day(1)}..${day(3)}`))).not.toContain('The clocks changed')
  })
})

describe('failures', () => {
  it.each([
    ['401', { kind: 'status', status: 401 }, 'no longer accepts'],
    ['400', { kind: 'status', status: 400 }, 'refused what was asked'],
    ['429 for an hour', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }, '60 minutes'],
    ['500', { kind: 'status', status: 500 }, 'unavailable'],
    ['HTML', { kind: 'html' }, 'unavailable'],
    ['cut JSON', { kind: 'cut-json' }, 'unavailable'],
    ['a wrong envelope', { kind: 'wrong-envelope' }, 'unavailable'],
    ['a cut connection', { kind: 'cut-connection' }, 'unavailable'],
  ] as const)('%s', async (_name, fault, words) => {
    const { connect, ask, click, sandbox } = house()
    await connect()
    sandbox.faults.always(fault, { operation: 'incoming' })
    const message = await ask('missed')
    expect(textOf(message)).toContain(words)
    sandbox.faults.clear()
    const offered = buttonsOf(message).find(({ action_id }) => action_id === 'calls.retry')
    expect(offered !== undefined).toBe(words === 'unavailable' || words === '60 minutes')
    if (offered) expect(rowsOf(await click(message, 'calls.retry'))).toHaveLength(20)
  })

  it('says what was asked where the service refuses it', async () => {
    const { connect, ask, sandbox } = house()
    await connect()
    sandbox.faults.next({ kind: 'status', status: 400 }, { operation: 'outgoing' })
    const refused = textOf(await ask('outgoing missed 2026-11-05 page:3'))
    for (const part of ['Outgoing calls', 'Missed', '5 Nov 2026', 'page 3']) expect(refused).toContain(part)
  })

  it('of a Filter… submission are told on the message, with a way to try again', async () => {
    const { connect, ask, click, slack, url, sandbox } = house()
    await connect()
    const message = await ask('outgoing')
    const view = await (await slack.click(url, { message, action_id: 'calls.filter' })).waitForView()
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'outgoing' })
    await slack.submit(url, { view, values: { status: 'missed' } })
    const failed = await slack.waitFor(() => {
      const now = slack.message(message.ts)
      return now && textOf(now).includes('unavailable') ? now : undefined
    })
    const shown = await click(failed, 'calls.retry')
    expect(new Set(rowsOf(shown).map((row) => row[3]))).toEqual(new Set(['Missed']))
  })

  it('no answer', async () => {
    const { connect, say, sandbox } = house()
    await connect()
    sandbox.faults.always({ kind: 'hang' }, { operation: 'incoming' })
    expect(textOf(await (await say('')).waitForMessage(12_000))).toContain('unavailable')
  })

  it('a forged and a stale signature are refused', async () => {
    const { slack, url, logs } = house()
    const body = 'command=%2Fcalls&text='
    expect((await slack.raw(url, { body, secret: 'another' })).status).toBe(401)
    expect((await slack.raw(url, { body, timestamp: Date.now() / 1000 - 400 })).status).toBe(401)
    expect(logs.join('')).toContain('without a valid signature')
  })

  it('forged button values get a plain apology', async () => {
    const { connect, ask, slack, url } = house()
    await connect()
    const message = await ask('')
    for (const value of [
      '',
      '{',
      '{"page":0,"direction":"incoming"}',
      '{"page":"2","direction":"incoming"}',
      '[]',
    ]) {
      const clicked = await slack.clickRaw(url, {
        message,
        action: {
          action_id: 'calls.page.next',
          block_id: 'b',
          type: 'button',
          value,
          action_ts: (Date.now() / 1000).toFixed(6),
        },
      })
      expect(textOf(await clicked.waitForMessage()), value).toContain("can't be used any more")
    }
  })

  it('odd values from the service neither mention anybody nor break a message', async () => {
    const { connect, ask, click, sandbox, slack } = house()
    await connect()
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
    const inTable = await ask('')
    expect(rowsOf(inTable)[0]?.[1]).toBe('<!channel> & co')
    slack.refuseTables = true
    const inLines = await click(inTable, 'calls.direction')
    slack.takeViolations()
    expect(textOf(inLines)).not.toContain('<!channel>')
    expect(textOf(inLines)).toContain('&lt;!channel&gt;')
  })
})

describe('who may', () => {
  it('tells a member who can connect, and an admin how', async () => {
    const { ask, slack } = house()
    expect(textOf(await ask(''))).toContain('An admin of this workspace can connect it')
    expect(buttonsOf(await ask('', slack.people.admin)).map(({ action_id }) => action_id)).toEqual([
      'setup.connect',
    ])
    expect(textOf(await ask('connect'))).toContain('Only admins and owners')
  })

  it('gives guests, strangers, bots and deleted people nothing', async () => {
    const { connect, ask, slack, sandbox } = house()
    await connect()
    sandbox.requests.clear()
    const { guest, ultraGuest, stranger, bot, deleted } = slack.people
    for (const person of [guest, ultraGuest, stranger, bot, deleted]) {
      expect(textOf(await ask('', person))).toContain('full members of this workspace only')
    }
    expect(sandbox.requests.count()).toBe(0)
  })

  it('keeps a refused pair out, replaces by another, and disconnects', async () => {
    const { say, ask, slack, url, sandbox, connect } = house()
    const view = await (await say('connect', slack.people.admin)).waitForView()
    const refused = await slack.submit(url, {
      view,
      values: { key: 'wrong', secret: 'pair' },
      user: slack.people.admin,
    })
    expect(refused.ackBody).toMatchObject({
      response_action: 'errors',
      errors: { secret: expect.any(String) },
    })
    expect(textOf(await ask(''))).toContain('not connected')
    await connect(sandbox.accounts.quiet)
    expect(rowsOf(await ask(''))).toHaveLength(3)
    const message = await ask('disconnect', slack.people.admin)
    await house().click(message, 'setup.disconnect', slack.people.admin)
    expect(textOf(await ask(''))).toContain('not connected')
  })

  it('turns to Checking… where the service takes its time', async () => {
    const { say, slack, url, sandbox } = house()
    const view = await (await say('connect', slack.people.admin)).waitForView()
    sandbox.faults.next({ kind: 'delay', ms: 2400 })
    const { key, secret } = sandbox.accounts.lively
    const sent = await slack.submit(url, { view, values: { key, secret }, user: slack.people.admin })
    expect(JSON.stringify(sent.ackBody)).toContain('Checking')
    await slack.waitFor(() => slack.openViews().find((one) => JSON.stringify(one).includes('Connected')))
  })
})

describe('secrets', () => {
  it('are in no log at debug, and not in the clear in the store', async () => {
    const { connect, ask, sandbox, logs, config, slack } = house()
    await connect()
    await ask('agent:hollis')
    sandbox.faults.always({ kind: 'cut-connection' })
    await ask('')
    const path = config.storeUrl.slice('sqlite:'.length)
    const files = await Promise.all([path, `${path}-wal`].map((file) => readFile(file, 'latin1')))
    const { key, secret } = sandbox.accounts.lively
    const all = logs.join('') + files.join('')
    expect(logs.join('')).toContain('"operation":"incoming"')
    for (const hidden of [key, secret, slack.botToken, slack.signingSecret, config.telephonyBaseUrl]) {
      expect(all.includes(hidden), hidden.slice(0, 5)).toBe(false)
    }
  })
})
