import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { actionsOf, buttonsOf, rowsOf } from '../../support/shown.ts'

const app = useApp({ connected: true })
const hasTable = (message: { blocks: readonly { type: string }[] }) =>
  message.blocks.some(({ type }) => type === 'table')

describe('/calls', () => {
  it('shows the first page to the asking person alone, with a numeric page in each paging button', async () => {
    const { member, sandbox } = app
    const message = await member.command('/calls')
    const calls = sandbox.accounts.lively.calls('incoming')
    expect(message.onlyFor).toBe(member.user.id)
    expect(rowsOf(message)).toHaveLength(20)
    expect(rowsOf(message).map((row) => row[1])).toEqual(calls.slice(0, 20).map(({ number }) => number))
    expect(message).toShow(`Page 1 of ${Math.ceil(calls.length / 20)} · 1–20 of ${calls.length}`)
    const paging = buttonsOf(message).filter(({ action_id }) => action_id.startsWith('calls.page.'))
    expect(paging.map(({ action_id }) => action_id)).toEqual(['calls.page.next', 'calls.page.last'])
    expect(JSON.parse(paging[0]?.value ?? '')).toEqual({ direction: 'incoming', page: 2 })
  })

  it.each(['incoming', 'outgoing'] as const)(
    'visits every %s record exactly once by its buttons, through a restart',
    async (direction) => {
      const { member, sandbox } = app
      let message = await member.command(`/calls ${direction}`)
      const expected = sandbox.accounts.lively.calls(direction).length
      const seen: string[] = []
      for (let page = 1; ; page += 1) {
        seen.push(...rowsOf(message).map((row) => row.slice(0, 5).join('|')))
        if (page === 2) await app.restart()
        if (!actionsOf(message).includes('calls.page.next')) break
        message = await member.click(message, 'calls.page.next')
      }
      expect(seen).toHaveLength(expected)
      expect(new Set(seen).size).toBe(expected)
      const first = await member.click(message, 'calls.page.first')
      expect(rowsOf(first).map((row) => row.slice(0, 5).join('|'))).toEqual(seen.slice(0, 20))
      expect(first.ts).toBe(message.ts)
    },
  )

  it('names what it does not understand, and fetches nothing', async () => {
    const { member, sandbox } = app
    sandbox.requests.clear()
    const message = await member.command('/calls mised agent:Anna Smith page:0 from:tomorrow')
    expect(message).toShow('mised', 'agent:"Anna Smith"', 'pages count from 1', 'from:tomorrow')
    expect(sandbox.requests.count()).toBe(0)
  })

  it('finds an agent by a part of the name, and asks which where several fit', async () => {
    const { member } = app
    expect(await member.command('/calls agent:anna')).toShow('fits several agents')
    const hollis = await member.command('/calls outgoing agent:“Hollis Grant”')
    expect(hollis).toShow('1–20 of 40')
    expect(hollis).toShow('agent Hollis Grant')
  })

  it('switches the direction and keeps the filters, refreshes, and filters by the modal', async () => {
    const { member } = app
    const missed = await member.command('/calls missed')
    expect(new Set(rowsOf(missed).map((row) => row[3]))).toEqual(new Set(['Missed']))
    const outgoing = await member.click(missed, 'calls.direction')
    expect(outgoing).toShow('Outgoing calls')
    expect(new Set(rowsOf(outgoing).map((row) => row[3]))).toEqual(new Set(['Missed']))
    expect(rowsOf(await member.click(outgoing, 'calls.more', 'refresh'))).toEqual(rowsOf(outgoing))

    const modal = await member.open(outgoing, 'calls.filter')
    const suggested = await member.suggest(modal, 'calls.agent', 'holl')
    expect(suggested.map(({ text }) => text.text)).toEqual(['Hollis Grant'])
    const wrong = await member.submit(modal, { from: '2026-11-05', to: '2026-11-01' })
    expect(wrong.errors).toMatchObject({ to: expect.any(String) })
    const agent = suggested[0] ?? ''
    await member.submit(modal, { from: null, to: null, status: 'any', 'calls.agent': agent })
    expect(await member.sees(outgoing, 'agent Hollis Grant')).toShow('of 40')
  })

  it('keeps the filters of a form that is submitted too late for its message, and says so', async () => {
    const { member, slack } = app
    const list = await member.command('/calls missed')
    const modal = await member.open(list, 'calls.filter')
    slack.advance(31 * 60_000)
    app.clock.ahead += 31 * 60_000
    const late = await member.submit(modal, { status: 'any' })
    expect(late.errors).toEqual({ direction: expect.stringContaining('click Filter… again') })
    expect(slack.view(modal.id)).toBeDefined()
    await member.submit(await member.open(list, 'calls.filter'), { direction: 'outgoing', status: 'any' })
    await member.sees(list, 'Outgoing calls')
  })

  it('says what an empty list and a page past the end are, and offers a way on', async () => {
    const { member, sandbox } = app
    await app.connect(sandbox.accounts.quiet)
    expect(await member.command('/calls outgoing')).toShow('There are no outgoing calls yet')
    const past = await member.command('/calls page:9')
    expect(past).toShow('There is no page 9: the list has one page')
    expect(actionsOf(past)).toContain('calls.page.first')
  })

  it('answers in text lines where Slack refuses the table, in the same answer', async () => {
    const { member, slack } = app
    slack.refuseTables = true
    const message = await member.command('/calls')
    expect(hasTable(message)).toBe(false)
    expect(JSON.stringify(message.blocks)).toMatch(/Answered|Missed/)
    slack.takeViolations()
    slack.refuseTables = false
    expect(hasTable(await member.command('/calls'))).toBe(false)
  })

  it('rides in the acknowledgement once the workspace has taken a table', async () => {
    expect((await app.member.command('/calls')).via).toBe('response_url')
    expect((await app.member.command('/calls')).via).toBe('ack')
  })

  it('works under the long name, and helps', async () => {
    const { member } = app
    expect(rowsOf(await member.command('/callboard calls missed'))).toHaveLength(20)
    expect(await member.command('/callboard')).toShow('/calls timezone')
    expect(await member.command('/calls help')).toShow('last 7 days')
  })

  it('keeps the later of two quick clicks, whichever answer is ready first', async () => {
    const { member, sandbox } = app
    const message = await member.command('/calls')
    sandbox.faults.next({ kind: 'delay', ms: 600 }, { operation: 'incoming' })
    await member.press(message, 'calls.page.last')
    await expect.poll(() => sandbox.requests.count('incoming')).toBe(2)
    await member.press(message, 'calls.page.next')
    await app.logged('"interaction":"calls.page."', 2)
    expect(app.slack.message(message.ts) ?? message).toShow('Page 2 of')
  })
})

describe("the channel's zone", () => {
  it('is shown and set, and the times with it', async () => {
    const { member } = app
    expect(await member.command('/calls timezone berln')).toShow('is no time zone')
    expect(await member.command('/calls timezone asia/kathmandu')).toShow('Asia/Kathmandu (UTC+05:45)')
    const nepal = rowsOf(await member.command('/calls outgoing'))
    await member.command('/calls timezone +00:00')
    const utc = rowsOf(await member.command('/calls outgoing'))
    const gap = Date.parse(`${nepal[0]?.[0]}Z`) - Date.parse(`${utc[0]?.[0]}Z`)
    expect(gap).toBe((5 * 60 + 45) * 60_000)
    expect(await member.command('/calls timezone default')).toShow('Took back')
  })

  it('where its clocks change within the range: that is told, and each time is that of its own instant', async () => {
    const { member } = app
    await member.command('/calls timezone Europe/Berlin')
    const year = new Date().getUTCFullYear()
    const last = new Date(Date.UTC(year, 10, 1))
    // The last Sunday of October, of this year where it is over and of the year before otherwise.
    const over = last.getTime() <= Date.now() ? last : new Date(Date.UTC(year - 1, 10, 1))
    const sunday = new Date(over.getTime() - (over.getUTCDay() === 0 ? 7 : over.getUTCDay()) * 86_400_000)
    const day = (n: number) => new Date(sunday.getTime() + n * 86_400_000).toISOString().slice(0, 10)
    const message = await member.command(`/calls ${day(-1)}..${day(1)}`)
    expect(message).toShow('The clocks changed on')
    expect(message).toShow('from UTC+02:00 to UTC+01:00')
    expect(await member.command(`/calls ${day(1)}..${day(3)}`)).not.toShow('The clocks changed')
  })
})
