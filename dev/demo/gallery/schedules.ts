import type { Message } from '../../slack/slack.ts'
import type { Chapter, Recorder } from './recorder.ts'
import { away, dayMs, hourMs, minuteMs, refusal } from './stage.ts'

type Values = NonNullable<Parameters<Recorder['submit']>[2]>

const kinds = {
  billing: { line: '/billing', actions: 'billing.schedule', operation: 'billing', values: {} },
  report: { line: '/calls', actions: 'calls.schedule', operation: 'incoming', values: { when: 'always' } },
} as const
type Kind = keyof typeof kinds

/** Saves a schedule for #finance, after its preview where there is one. */
async function save({ ada, finance }: Recorder, kind: Kind, values: Values): Promise<void> {
  const form = await ada.open(`${kinds[kind].line} schedule`)
  const shown = await ada.submit(form, { channel: finance.id, ...kinds[kind].values, ...values })
  if (shown.callback_id === 'calls.schedule.preview') await ada.submit(shown)
}

const lists = (stage: Recorder, kind: Kind): Promise<Message> =>
  stage.ada.command(`${kinds[kind].line} schedules`)

/** Time goes by until the one schedule, of Mondays at 9:00, is due next. */
function due(stage: Recorder, late = 0): void {
  const { now } = stage
  const monday = Date.parse('2026-11-09T08:00:05Z')
  const weeks = Math.max(0, Math.floor((now - monday) / (7 * dayMs)) + 1)
  stage.pass(monday + weeks * 7 * dayMs - now + late)
}

/** The same, once the schedule has its next time. */
async function nextDue(stage: Recorder): Promise<void> {
  await stage.tick(0, 300)
  due(stage)
}

/** What becomes of a post that is due. */
function outcomes(kind: Kind, feature: string, latePost: string): Chapter {
  const { operation, actions } = kinds[kind]
  return {
    feature,
    async play(stage) {
      const { slack, sandbox, ada, finance } = stage
      await save(stage, kind, { day: 'weekly 1', time: '09:00' })
      const post = kind === 'billing' ? 'The post in a channel' : 'The report in a channel'
      await nextDue(stage)
      await stage.posted(post, finance, 'Scheduled by')
      slack.failNext('chat.postMessage', { cut: true })
      await nextDue(stage)
      await stage.posted('Told by direct message: perhaps missing', ada, 'may be missing')
      if (kind === 'report') {
        slack.failNext('chat.postMessage', refusal('invalid_blocks'))
        await nextDue(stage)
        await stage.posted('The report in a channel, as lines of text', finance, 'Scheduled by')
      }
      await stage.tick(0, 300)
      await stage.restart(() => due(stage, 3 * hourMs))
      await stage.posted(latePost, finance, 'Late')
      await stage.tick(0, 300)
      await stage.restart(() => due(stage, 7 * dayMs + 25 * hourMs))
      await stage.posted('Told by direct message: skipped', ada, 'was skipped')
      sandbox.faults.next({ kind: 'status', status: 401 }, { operation })
      await nextDue(stage)
      await stage.posted('Told by direct message: paused', ada, 'are paused')
      if (kind === 'report') return
      stage.pass(5 * minuteMs)
      await ada.click(await lists(stage, kind), `${actions}.resume`)
      sandbox.faults.next({ kind: 'status', status: 401 }, { operation })
      slack.failNext('chat.postMessage', refusal('messages_tab_disabled'))
      await nextDue(stage)
      await stage.posted(
        'Told in the channel, where no direct message arrives: paused',
        finance,
        'are paused',
      )
    },
  }
}

export const schedules: Chapter = {
  feature: 'Scheduled posts',
  async play(stage) {
    const { slack, ada, support, finance, warehouse } = stage
    const inFinance = stage.in(finance)
    await stage.say('None yet', '/billing schedules')
    const form = await stage.open('New schedule', '/billing schedule', inFinance)
    await stage.open('New schedule, no channel chosen yet', '/billing schedule', await stage.directOf(ada))
    await stage.submit('New schedule, a channel that is refused', form, { channel: warehouse.id })
    const own = { day: 'billing-date', time: '09:00' }
    slack.failNext('conversations.info', { delayMs: 2200, status: 500 })
    await stage.submitSlowly(
      ['Saving', 'Saving, and it fails on our side'],
      await inFinance.open('/billing schedule'),
      own,
    )
    await stage.submit('Saved', await inFinance.open('/billing schedule'), own)
    await stage.say('', '/calls timezone America/New_York')
    await stage.send(await ada.open('/billing schedule'), {
      channel: support.id,
      day: 'weekly 1',
      time: '08:30',
    })
    await save(stage, 'billing', { day: 'monthly last' })
    await save(stage, 'billing', { day: 'monthly 1' })
    const list = await lists(stage, 'billing')
    const edit = await stage.open('Changing a schedule, its channel in another time zone', [
      list,
      'billing.schedule.edit',
    ])
    await stage.submit('Saved, changed', edit, { time: '10:30' })
    await stage.press('One, just paused', [await lists(stage, 'billing'), 'billing.schedule.pause'])
    await stage.say('Several', '/billing schedules')
    await stage.submit(
      'Saved, still paused',
      await ada.open(await lists(stage, 'billing'), 'billing.schedule.edit'),
    )
    await stage.press('One, just resumed', [await lists(stage, 'billing'), 'billing.schedule.resume'])
    const before = await lists(stage, 'billing')
    await ada.click(before, 'billing.schedule.delete', 'Delete schedule…')
    await stage.press('Already deleted', [before, 'billing.schedule.pause'])
    await stage.open('Changing one that was deleted', [before, 'billing.schedule.edit'])
    stage.pass(5 * minuteMs)
    await stage.during(away, async () => {
      const own = await inFinance.open('/billing schedule')
      await stage.submit('Saved, the billing date not known yet', own, { day: 'billing-date', time: '11:00' })
    })
    for (let n = 4; n < 50; n += 1)
      await save(stage, 'billing', { day: `monthly ${(n % 27) + 1}`, time: `${10 + Math.floor(n / 27)}:30` })
    await stage.press('A page in the middle', [await lists(stage, 'billing'), 'billing.schedules.page.next'])
    await stage.open('As many as fit', '/billing schedule')
  },
}

export const schedulesInTime = outcomes('billing', 'Scheduled posts', 'The post in a channel, late')

export const reportSchedules: Chapter = {
  feature: 'Scheduled reports',
  async play(stage) {
    const { sandbox, slack, ada, finance } = stage
    await stage.say('None yet', '/calls schedules')
    const form = await stage.open('New schedule', '/calls schedule')
    await stage.submitAnyway('New schedule, no weekday chosen', await ada.open('/calls schedule'), {
      weekdays: [],
    })
    sandbox.faults.always({ kind: 'delay', ms: 2600 })
    await stage.submitSlowly(['Reading for the preview', 'Preview'], form, { channel: finance.id })
    sandbox.faults.clear()
    const shown = slack.view(form.id)
    if (!shown) return
    slack.failNext('conversations.info', { delayMs: 2200, status: 500 })
    await stage.submitSlowly(['Saving', 'Saving, and it fails on our side'], shown)
    await save(stage, 'report', {})
    await stage.settled('Saved', slack.openViews().at(-1) ?? shown)
    stage.pass(5 * minuteMs)
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '0', result: [] } })
    await stage.submit('Preview, nothing to tell', await ada.open('/calls schedule'), { channel: finance.id })
    sandbox.faults.clear()
    stage.pass(5 * minuteMs)
    await stage.during(away, async () => {
      const own = await ada.open('/calls schedule')
      await stage.submit('Preview, the phone service not responding', own, {
        channel: finance.id,
        range: 'month',
      })
    })
    await save(stage, 'report', { day: 'weekly 1', range: 'week', by: 'agent' })
    await save(stage, 'report', { day: 'monthly 1', range: 'month', by: 'hour' })
    await stage.press('One, just paused', [await lists(stage, 'report'), 'calls.schedule.pause'])
    await stage.open('Changing a schedule', [await lists(stage, 'report'), 'calls.schedule.edit'])
    await stage.say('Several', '/calls schedules')
    for (let n = 6; n < 12; n += 1) await save(stage, 'report', { day: `monthly ${n}` })
    await stage.say('The first page', '/calls schedules')
  },
}

export const reportsInTime = outcomes('report', 'Scheduled reports', 'The report in a channel, late')
