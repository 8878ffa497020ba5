import { randomUUID } from 'node:crypto'
import type { Job } from '../../jobs/jobs.ts'
import { scheduleDetail } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { plainChannelRefusal } from '../../slack/answers/channel-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import type { ActionRoute, FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import type { Schedule } from '../../store/schedules.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { giveUp } from './given-up.ts'
import { MOST_SCHEDULES, readScheduleButton, readSchedulesPage, savedText, schedulesMessage } from './list.ts'
import { readSchedule, scheduleModal } from './modal.ts'
import { Poster } from './poster.ts'
import { SingleSender } from './single-sender.ts'

const title = 'Scheduled billing post'
export const slow = {
  title,
  waiting: 'Saving… this takes a moment.',
  failed: 'Sorry, something went wrong on our side. Look at `/billing schedules` and try again.',
  note: 'a schedule could not be kept',
}
export const notFound = 'That schedule is not there any more.'
export const full = `There are ${MOST_SCHEDULES} schedules already, which is as many as fit. Delete one with \`/billing schedules\` first.`

/** In the schedule modal's place. */
export const notice = (text: string) => noticeModal(text, { title })

/** `/billing schedule` and `/billing schedules`, and the posts that come of them. */
export function schedules({
  store,
  scheduler,
  workspaces,
  guards,
  channels,
  telephony,
  backgroundWebApi,
  notices,
  audit,
  metrics,
  log,
  now,
}: Services): FeatureRoutes {
  const sender = new SingleSender({ store, backgroundWebApi, metrics })
  const poster = new Poster(
    { store, scheduler, workspaces, guards, channels, telephony, notices, audit, log, now },
    sender,
  )
  const onGivenUp = (job: Job) => giveUp({ store, scheduler, notices, audit }, job)
  workspaces.onZoneChange({
    before: (tenant) => scheduler.notePlannedDays(tenant),
    after: (tenant) => scheduler.reschedule(tenant),
  })

  async function list({ tenant }: Interaction, page = 1, note?: string): Promise<Answer> {
    const options = { page, nonce: randomUUID().slice(0, 8), note }
    return { message: schedulesMessage(await scheduler.list(tenant), options) }
  }

  const isFull = async ({ tenant }: Interaction) =>
    (await store.schedules.all(tenant)).length >= MOST_SCHEDULES

  async function open(interaction: Interaction, schedule?: Schedule) {
    const { actor, tenant, channel, channelName } = interaction
    // Who is not connected is told so before filling in a form.
    await workspaces.account(tenant)
    if (!schedule && (await isFull(interaction))) return notice(full)
    const { zone } = await workspaces.zone(tenant, schedule?.channel ?? channel, actor.person)
    const here = isDirectConversation(channel, channelName) ? '' : channel
    return scheduleModal({ team: actor.team, channel: here, zone, schedule })
  }

  /** The next billing date, for showing; the service may be away without harm. */
  async function billingDay({ tenant }: Interaction): Promise<string | undefined> {
    try {
      const { nextBillingDay } = await telephony.billing(await workspaces.account(tenant))
      return typeof nextBillingDay === 'string' ? nextBillingDay : undefined
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return undefined
    }
  }

  /** @param viewId names a new schedule, so that a second submission of the same modal makes no second one */
  async function save(
    interaction: Interaction,
    { id, channel, day, time }: ReturnType<typeof readSchedule>,
    viewId: string,
  ): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const before = await store.schedules.get(tenant, id ?? viewId)
    if (id !== undefined && !before) return { view: notice(notFound) }
    if (!before && (await isFull(interaction))) return { view: notice(full) }
    const state = await channels.state(actor, channel)
    if (state !== 'ok') return { errors: { channel: plainChannelRefusal(state) } }
    // Where the service does not tell just now, what it told last is what the day itself is recognized by.
    const nextBillingDay =
      day.kind === 'billing-date' ? ((await billingDay(interaction)) ?? before?.billingDay) : undefined
    // What a person paused stays so; what a failure paused is mended by what is changed.
    const isPaused = before?.paused !== undefined && before.paused.why === undefined
    const schedule = await scheduler.keep({
      id: id ?? viewId,
      tenant: actor.team,
      channel,
      day,
      time,
      owner: actor.person.id,
      ...(nextBillingDay === undefined ? {} : { billingDay: nextBillingDay }),
      ...(isPaused ? { paused: {} } : {}),
    })
    const isSame =
      before !== undefined &&
      before.owner === schedule.owner &&
      before.paused?.why === undefined &&
      scheduleDetail(before) === scheduleDetail(schedule)
    const what = id === undefined ? 'schedule' : 'schedule changed'
    if (!isSame) await audit.record(actor, what, scheduleDetail(schedule))
    return { view: notice(savedText({ schedule, zone: await scheduler.zoneOf(schedule) })) }
  }

  /** What a button of the list does, and the list as it is then. */
  const button = (
    action: string,
    what: string,
    note: string,
    act: (interaction: Interaction, schedule: Schedule) => Promise<unknown>,
    isDone = (_: Interaction, _schedule: Schedule) => false,
  ): ActionRoute => ({
    action,
    needs: 'billing',
    async handle(interaction, { value }) {
      const { id, page } = readScheduleButton(value)
      const schedule = await store.schedules.get(interaction.tenant, id)
      if (!schedule) return list(interaction, page, notFound)
      // By another button of the same list, or by somebody else.
      if (isDone(interaction, schedule)) return list(interaction, page, note)
      await act(interaction, schedule)
      await audit.record(interaction.actor, what, scheduleDetail(schedule))
      return list(interaction, page, note)
    },
  })

  return {
    commands: [
      {
        command: 'billing',
        word: 'schedule',
        needs: 'billing',
        openModal: (interaction) => open(interaction),
      },
      { command: 'billing', word: 'schedules', needs: 'billing', handle: (interaction) => list(interaction) },
    ],
    actions: [
      { action: ACTIONS.scheduleNew, needs: 'billing', openModal: (interaction) => open(interaction) },
      {
        action: ACTIONS.scheduleEdit,
        needs: 'billing',
        async openModal(interaction, { value }) {
          const schedule = await store.schedules.get(interaction.tenant, readScheduleButton(value).id)
          return schedule ? open(interaction, schedule) : notice(notFound)
        },
      },
      {
        action: ACTIONS.schedulesPage,
        needs: 'billing',
        handle: (interaction, { value }) => list(interaction, readSchedulesPage(value)),
      },
      button(
        ACTIONS.schedulePause,
        'schedule paused',
        'Paused.',
        ({ tenant }, { id }) => store.schedules.change(tenant, id, (current) => ({ ...current, paused: {} })),
        (_, { paused }) => paused !== undefined && paused.why === undefined,
      ),
      button(
        ACTIONS.scheduleResume,
        'schedule resumed',
        'Resumed, in your name.',
        ({ actor }, { paused: _, ...schedule }) => scheduler.keep({ ...schedule, owner: actor.person.id }),
        ({ actor }, { paused, owner }) => paused === undefined && owner === actor.person.id,
      ),
      button(ACTIONS.scheduleDelete, 'schedule deleted', 'Deleted.', ({ tenant }, { id }) =>
        store.schedules.delete(tenant, id),
      ),
    ],
    submissions: [
      {
        view: VIEWS.schedule,
        needs: 'billing',
        slow,
        handle: (interaction, view) => save(interaction, readSchedule(view), view.id),
      },
    ],
    jobs: [{ queue: scheduler.queue, handle: (job) => poster.run(job), onGivenUp }],
    catchUps: [() => scheduler.resumeAll()],
  }
}
