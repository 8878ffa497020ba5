import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Alerts, optionOf } from './alerts.ts'

const app = useApp({ connected: true })
const alerts = new Alerts(app)

const inputsOf = (view: View) =>
  view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? [block_id] : []))

const labelOf = (label: unknown) => z.object({ text: z.string() }).parse(label).text

/** Names two lines of the account, as an administrator does. */
async function nameLines(...names: string[]) {
  const { admin } = app
  const modal = await admin.open('/calls lines')
  const numbers = modal.blocks
    .filter(({ type }) => type === 'input')
    .map(({ label }) => labelOf(label).replaceAll(' ', ''))
  await admin.submit(modal, Object.fromEntries(names.map((name, index) => [`line-${index}`, name])))
  return numbers
}

describe('the form of an alert', () => {
  it('asks for the channel, lines, agents, when and hours, and says what will happen', async () => {
    const { member, slack } = app
    const form = await member.open('/calls alert')
    expect(form).toShow(
      'Missed-call alert',
      'Everyone in the channel sees',
      'Each missed call',
      'At any time',
    )
    expect(inputsOf(form)).toEqual(['where', 'channel', 'lines', 'agents', 'when', 'hours'])
    expect(JSON.stringify(form.blocks)).toContain(`"initial_conversation":"${slack.general.id}"`)
    const saved = await member.submit(form)
    expect(saved).toShow(`Saved. Each missed call is posted in <#${slack.general.id}> from now on.`)
    const [kept] = await alerts.kept()
    expect(kept).toMatchObject({ channel: slack.general.id, owner: member.user.id, lines: [], agents: [] })
    expect(Math.abs((kept?.since ?? 0) - Date.now())).toBeLessThan(10_000)
    expect(kept).not.toHaveProperty('threshold')
    expect(kept).not.toHaveProperty('hours')
    expect(await alerts.audit()).toShow(
      `<@${member.user.id}> · alert · <#${slack.general.id}> · each missed call`,
    )
  })

  it('says where another alert posts some of the same calls', async () => {
    const { member, slack } = app
    const [sales = '', support = ''] = await nameLines('Sales Berlin', 'Support')
    const twice = 'Another alert posts some of the same calls there'
    async function add(line: string | undefined, channel = slack.general) {
      const form = await member.open(`/calls alert <#${channel.id}|${channel.name}>`)
      return member.submit(form, line === undefined ? {} : { lines: [optionOf(line)] })
    }
    expect(await add(sales)).not.toShow(twice)
    expect(await add(support)).not.toShow(twice)
    expect(await add(undefined, slack.addChannel({ name: 'support' }))).not.toShow(twice)
    const all = await add(undefined)
    expect(all).toShow('Saved. Each missed call is posted in', `${twice}: see /calls alerts.`)
  })

  it('is the same of `/callboard calls alert`', async () => {
    expect(await app.member.open('/callboard calls alert')).toShow('Missed-call alert', 'Each missed call')
  })

  it("offers the account's lines as they are typed, those with names first, and takes no other", async () => {
    const { member, sandbox } = app
    const [first = '', second = ''] = await nameLines('Sales Berlin', 'Support')
    const { lively } = sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'seen', number: '+441214960077' })
    app.clock.ahead = 11 * 60_000
    const form = await member.open('/calls alert')
    const offered = await member.suggest(form, 'calls.line', '')
    expect(offered.map(({ value }) => value)).toEqual(
      expect.arrayContaining([first, second, '+441214960077']),
    )
    expect(offered[0]?.text.text).toContain('Sales Berlin · +')
    const [support, ...others] = await member.suggest(form, 'calls.line', 'support')
    expect(others).toEqual([])
    const [seen] = await member.suggest(form, 'calls.line', '496 0077')
    const lines = [support!, seen!]
    expect(await member.submit(form, { lines: [...lines, optionOf('+442079460999')] })).toMatchObject({
      errors: { lines: "+44 20 7946 0999 isn't a line of this phone account. Choose again." },
    })
    expect(await member.submit(form, { lines })).toShow('Saved. Each missed call on Support or +44 121')
    expect((await alerts.kept())[0]?.lines).toEqual([second, '+441214960077'])
    expect(await alerts.list()).toShow('each missed call on Support or +44 121')
  })

  it('keeps the lines of an alert that an older version stored, also where nobody knows them', async () => {
    const { member } = app
    await alerts.add()
    await alerts.store(async (store, tenant) => {
      const [first] = await store.alerts.all(tenant)
      if (first) await store.alerts.set(tenant, first.id, { ...first, lines: ['00442079460999'] })
    })
    app.sandbox.faults.always({ kind: 'status', status: 503 })
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(edit).toShow('00442079460999')
    expect(await member.submit(edit)).toShow('Saved.')
    expect((await alerts.kept())[0]?.lines).toEqual(['00442079460999'])
    const again = await member.open(await alerts.list(), 'calls.alert.edit')
    const other = await member.submit(again, { lines: optionOf('+441214960077') })
    expect(other.errors['lines']).toContain("these lines can't be looked up")
  })

  it('finds agents as they are typed, and keeps their names', async () => {
    const { member } = app
    const form = await member.open('/calls alert')
    const [agent] = await member.suggest(form, 'calls.agent', '')
    if (agent?.value === undefined) throw new Error('there are no agents')
    const saved = await member.submit(form, { agents: agent })
    expect(saved).toShow(`Each missed call for ${agent.text.text} is posted`)
    expect((await alerts.kept())[0]?.agents).toEqual([{ id: agent.value, name: agent.text.text }])
    // Changed while the service is away: who it is, is known.
    app.sandbox.faults.always({ kind: 'status', status: 503 })
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(edit).toShow(agent.text.text)
    expect(await member.submit(edit, { when: 'each' })).toShow('Saved.')
  })
})

describe('a threshold', () => {
  it('is asked for where it is chosen, and said back', async () => {
    const { member, slack } = app
    const form = await member.open('/calls alert')
    const asked = await member.open(form, 'calls.alert.when', 'several')
    expect(inputsOf(asked)).toEqual([
      'where',
      'channel',
      'lines',
      'agents',
      'when',
      'calls',
      'minutes',
      'hours',
    ])
    const saved = await member.submit(asked, { calls: '5', minutes: '15' })
    expect(saved).toShow(
      `Saved. 5 or more missed calls within 15 minutes are posted in <#${slack.general.id}> from now on.`,
    )
    expect((await alerts.kept())[0]?.threshold).toEqual({ calls: 5, minutes: 15 })
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(inputsOf(edit)).toContain('calls')
    const each = await member.open(edit, 'calls.alert.when', 'each')
    expect(inputsOf(each)).not.toContain('calls')
    expect(await member.submit(each)).toShow('Saved. Each missed call is posted')
  })

  it('that is no such number has an error below it', async () => {
    const { member } = app
    const form = await member.open(await member.open('/calls alert'), 'calls.alert.when', 'several')
    for (const [calls, minutes] of [
      ['1', '0'],
      ['101', '61'],
      ['2.5', '1e1'],
      ['-3', 'ten'],
    ] as const) {
      const { errors } = await member.submit(form, { calls, minutes })
      expect(errors).toEqual({
        calls: 'Enter a whole number from 2 to 100.',
        minutes: 'Enter a whole number from 1 to 60.',
      })
    }
    expect(await alerts.kept()).toEqual([])
  })

  it('and hours that are submitted before their inputs are there are asked for', async () => {
    const { member } = app
    const form = await member.open('/calls alert')
    const asked = await member.submit(form, { when: 'several', hours: 'chosen' })
    expect(inputsOf(asked)).toEqual(expect.arrayContaining(['calls', 'minutes', 'weekdays', 'from', 'to']))
    expect(await member.submit(asked)).toShow('3 or more missed calls within 10 minutes')
  })
})

describe('hours', () => {
  it('are asked for where they are chosen, and said back with what happens outside', async () => {
    const { member, slack } = app
    await member.command('/calls timezone Europe/Berlin')
    const form = await member.open('/calls alert')
    expect(form).toShow("In the channel's time zone: Europe/Berlin.")
    const asked = await member.open(form, 'calls.alert.hours', 'chosen')
    expect(asked).toShow('Calls missed outside these hours are posted in one message when the hours begin.')
    const saved = await member.submit(asked, { weekdays: ['1', '2', '3', '4'], from: '08:30', to: '18:00' })
    expect(saved).toShow(
      `posted in <#${slack.general.id}> from now on. Hours: Monday to Thursday 08:30–18:00 (Europe/Berlin). Calls missed outside them are posted in one message when the hours begin.`,
    )
    expect((await alerts.kept())[0]?.hours).toEqual({ weekdays: [1, 2, 3, 4], from: '08:30', to: '18:00' })
    expect(await alerts.list()).toShow('Monday to Thursday 08:30–18:00 (Europe/Berlin)')
    // Later on the next day.
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(await member.submit(edit, { weekdays: ['6', '7'], from: '22:00', to: '06:00' })).toShow(
      'Hours: Saturday and Sunday 22:00–06:00',
    )
  })

  it('without a day have an error below them', async () => {
    const { member } = app
    const form = await member.open(await member.open('/calls alert'), 'calls.alert.hours', 'chosen')
    const { errors } = await member.submit(
      form,
      { weekdays: [], from: '09:00', to: '09:00' },
      { force: true },
    )
    expect(errors).toEqual({ weekdays: 'Choose at least one day.' })
  })

  it('that end when they begin last the whole day', async () => {
    const { member } = app
    const form = await member.open(await member.open('/calls alert'), 'calls.alert.hours', 'chosen')
    const saved = await member.submit(form, { weekdays: ['6', '7'], from: '00:00', to: '00:00' })
    expect(saved).toShow('Hours: Saturday and Sunday, all day (Europe/Berlin).')
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(await member.submit(edit, { from: '06:00', to: '06:00' })).toShow('all day from 06:00')
  })
})

describe('the channel', () => {
  const inZone = async (name: string, zone: string) => {
    const channel = app.slack.addChannel({ name })
    const there = app.slack.as(app.member.user, { channel })
    await there.command(`/calls timezone ${zone}`)
    return { channel, there }
  }

  it('says with its new time zone that hours of alerts go by it, and times of schedules', async () => {
    const { member } = app
    const zoneSet = (name: string) => member.command(`/calls timezone ${name}`)
    expect(await zoneSet('Asia/Tokyo')).not.toShow('follow it')
    await alerts.add()
    expect(await zoneSet('Asia/Dubai')).not.toShow('follow it')
    const form = await member.open(await alerts.list(), 'calls.alert.edit')
    await member.submit(await member.open(form, 'calls.alert.hours', 'chosen'))
    expect(await zoneSet('Asia/Tokyo')).toShow('The hours of alerts in this channel follow it.')
    const schedule = await member.submit(await member.open('/calls schedule'))
    await member.submit(schedule)
    expect(await zoneSet('Asia/Dubai')).toShow(
      'The hours of alerts and the times of schedules in this channel follow it.',
    )
  })

  it('that is chosen has its time zone shown, and what else was entered stays', async () => {
    const { member } = app
    const { there } = await inZone('support', 'Asia/Tokyo')
    const { channel: board } = await inZone('board', 'America/New_York')
    const form = await there.open('/calls alert')
    expect(form).toShow('Asia/Tokyo')
    const several = await member.open(form, 'calls.alert.when', 'several')
    const inNewYork = await member.open(several, 'calls.alert.channel', board.id)
    expect(inNewYork).toShow('America/New_York')
    expect(inNewYork).not.toShow('Asia/Tokyo')
    expect(inputsOf(inNewYork)).toContain('calls')
    expect(await member.submit(inNewYork, { calls: '4' })).toShow(`4 or more missed calls`, `<#${board.id}>`)
    expect(await alerts.list()).toShow(`<#${board.id}>: 4 or more missed calls within 10 minutes`)
  })

  it('is none yet in a direct message, and there is no time zone then', async () => {
    const direct = app.slack.addChannel({ name: 'directmessage', id: 'D0DIRECT' })
    const form = await app.slack.as(app.member.user, { channel: direct }).open('/calls alert')
    expect(form).toShow("In the channel's time zone.")
    expect(JSON.stringify(form.blocks)).not.toContain('initial_conversation')
  })

  it('has to be one of its own with Callboard in it', async () => {
    const { member, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const shared = slack.addChannel({ name: 'shared', isExtShared: true })
    const form = await member.open('/calls alert')
    const refusal = async (id: string) => (await member.submit(form, { channel: id })).errors['channel']
    slack.failNext('conversations.join', { body: { ok: false, error: 'missing_scope' } })
    expect(await refusal(away.id)).toContain("Callboard isn't in that channel. Invite it there")
    expect(await refusal(shared.id)).toContain('That channel is shared with another company')
    expect(await alerts.kept()).toEqual([])
  })
})

it('joins a public channel that an alert is set up for, and no other', async () => {
  const { member, slack } = app
  const away = slack.addChannel({ name: 'away', isMember: false })
  const hidden = slack.addChannel({ name: 'hidden', isMember: false, isPrivate: true })
  const elsewhere = slack.addChannel({ name: 'elsewhere', isMember: false, members: [app.admin.user.id] })
  const form = await member.open('/calls alert')
  for (const { id } of [hidden, elsewhere])
    expect((await member.submit(form, { channel: id })).errors).toHaveProperty('channel')
  expect(await member.submit(form, { channel: away.id })).toShow(`posted in <#${away.id}> from now on`)
  expect([away, hidden, elsewhere].map(({ isMember }) => isMember)).toEqual([true, false, false])
})

it('joins a channel once a report is saved, not for its preview, and keeps the form where it may not', async () => {
  const { member, slack } = app
  const away = slack.addChannel({ name: 'away', isMember: false })
  const form = await member.open('/calls schedule')
  const preview = await member.submit(form, { channel: away.id, day: 'monthly 3' })
  expect(preview).toShow('Not saved yet.')
  expect(away.isMember).toBe(false)
  slack.failNext('conversations.join', { body: { ok: false, error: 'missing_scope' } })
  const again = await member.submit(preview)
  expect(again).toShow(
    "⚠ Callboard isn't in that channel. Invite it there with /invite @Callboard",
    'the 3rd',
  )
  expect(await member.submit(await member.submit(again))).toShow('Saved.')
  expect(away.isMember).toBe(true)
})

describe('mistakes', () => {
  it('are none, where there are as many lines as fit: they are there again to be changed', async () => {
    const { member } = app
    const numbers = Array.from({ length: 61 }, (_, n) => `+4930123456789${10 + n}`)
    const named = numbers.map((number, n) => ({ number, name: `Line ${n}` }))
    await alerts.store((store, tenant) => store.lines.set({ lines: named }, tenant))
    await app.restart()
    const { errors } = await alerts.add({ lines: numbers.map(optionOf) })
    expect(errors).toEqual({ lines: 'Choose up to 60 lines.' })
    const fit = numbers.slice(0, 60)
    expect(await alerts.add({ lines: fit.map(optionOf) })).toShow('Saved. Each missed call on ', 'or 57 more')
    expect((await alerts.kept())[0]?.lines).toEqual(fit)
    const edit = await member.open(await alerts.list(), 'calls.alert.edit')
    expect(await member.submit(edit)).toShow('Saved.')
    expect((await alerts.kept())[0]?.lines).toEqual(fit)
  })

  it('with agents are told below them', async () => {
    const { member, sandbox } = app
    const form = await member.open('/calls alert')
    const option = { text: { type: 'plain_text', text: 'Nobody' }, value: '999999' }
    const gone = await member.submit(form, { agents: option })
    expect(gone.errors['agents']).toContain("isn't in the phone account any more")
    app.clock.ahead = 120_000
    sandbox.faults.always({ kind: 'status', status: 503 }, { operation: 'agents' })
    const away = await member.submit(form, { agents: option })
    expect(away.errors['agents']).toContain("The phone service isn't responding")
    sandbox.faults.clear()
    expect(await alerts.kept()).toEqual([])
  })
})

it('two submissions of one form make one alert, and the limit of a workspace is told in words', async () => {
  const { member } = app
  const form = await member.open('/calls alert')
  await Promise.all([1, 2].map(() => member.submit(form)))
  expect(await alerts.list()).toShow('1 missed-call alert.')
  const open = await member.open('/calls alert')
  await alerts.store(async (store, tenant) => {
    const [first] = await store.alerts.all(tenant)
    if (first) for (let n = 1; n < 50; n++) await store.alerts.set(tenant, `A${n}`, { ...first, id: `A${n}` })
  })
  expect(await member.open('/calls alert')).toShow('50 missed-call alerts, the most it can have')
  expect(await member.submit(open)).toShow('50 missed-call alerts, the most it can have')
  expect(await alerts.kept()).toHaveLength(50)
})

it('one that is the same as another one is refused, however its lines are written, and by whomever', async () => {
  const { admin, member } = app
  const there = 'This alert already exists: see /calls alerts.'
  const lines = app.sandbox.accounts.lively.billing.addOn.numbers.map(({ number }) => optionOf(number))
  expect(await alerts.add({ lines })).toShow('Saved.')
  const again = await admin.submit(await admin.open('/calls alert'), {
    lines: lines.toReversed(),
  })
  expect(again.errors).toEqual({ channel: there })
  expect(await alerts.add()).toShow('Saved.')
  expect(await alerts.kept()).toHaveLength(2)
  // What is changed into another one, too; what is saved as it was is not.
  const edit = await member.open(await alerts.list(), 'calls.alert.edit')
  expect((await member.submit(edit, { lines: null })).errors).toEqual({ channel: there })
  expect(await member.submit(edit, { lines })).toShow('Saved.')
})

it("changes somebody else's alert, which is told by them from now on", async () => {
  const { admin, member, slack } = app
  await alerts.add()
  const [before] = await alerts.kept()
  app.clock.ahead = 60_000
  const edit = await admin.open(await alerts.list(admin), 'calls.alert.edit')
  const other = slack.addChannel({ name: 'board' })
  expect(await admin.submit(edit, { channel: other.id })).toShow(`posted in <#${other.id}> from now on`)
  const [after] = await alerts.kept()
  expect(after).toMatchObject({ id: before?.id, channel: other.id, owner: admin.user.id })
  // What waits to be posted is not dropped.
  expect(after?.since).toBe(before?.since)
  expect(await alerts.audit()).toShow(`<@${admin.user.id}> · alert changed · <#${other.id}>`)
  const stale = await member.open(await alerts.list(), 'calls.alert.edit')
  await alerts.click(await alerts.list(), 'delete', 'Delete alert…')
  expect(await member.submit(stale)).toShow('already deleted')
  expect(await member.open(stale, 'calls.alert.when', 'several')).toShow('already deleted')
})

describe('where no account is connected', () => {
  const unconnected = useApp()

  it('that is told before a form is filled in', async () => {
    expect(await unconnected.member.command('/calls alert')).toShow("isn't connected")
    const list = await unconnected.member.command('/calls alerts')
    expect(list).toShow('No missed-call alerts yet')
    expect(await unconnected.member.click(list, 'calls.alert.new')).toShow("isn't connected")
  })
})
