import { scheduleDetail } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import { plainChannelRefusal } from '../../slack/answers/channel-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import type { Schedule } from '../../store/schedules.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { MOST_SCHEDULES, notFound, readScheduleButton, savedText } from './list.ts'
import { readChannelActionId, readSchedule, scheduleModal, title } from './modal.ts'

export const slow = {
  title,
  waiting: 'Saving…',
  failed:
    'Sorry, something went wrong on our side, so this may not be saved. Check your schedules, then try again.',
  note: 'a schedule could not be kept',
}
export const full = `This workspace has ${MOST_SCHEDULES} schedules, the most it can have. Delete one first.`

/** In the schedule modal's place. */
export const notice = (text: string) => noticeModal(text, { title })

/** `/billing schedule`: the form in which a schedule is made and changed. */
export function scheduleForms({
  store,
  scheduler,
  workspaces,
  channels,
  telephony,
  modals,
  audit,
  now,
}: Services): FeatureRoutes {
  const isFull = async ({ tenant }: Interaction) =>
    (await store.schedules.all(tenant)).length >= MOST_SCHEDULES

  /** @param chosen empty where no channel is */
  async function form({ actor: { team }, channel }: Interaction, chosen: string, schedule?: Schedule) {
    const zone = await scheduler.zoneOf({ tenant: team, channel: chosen })
    return scheduleModal({
      team,
      channel,
      chosen: chosen === '' ? undefined : { channel: chosen, zone },
      schedule,
    })
  }

  async function open(interaction: Interaction, schedule?: Schedule) {
    const { tenant, channel, channelName } = interaction
    // Who is not connected is told so before filling in a form.
    await workspaces.account(tenant)
    if (!schedule && (await isFull(interaction))) return notice(full)
    const here = isDirectConversation(channel, channelName) ? '' : channel
    return form(interaction, schedule?.channel ?? here, schedule)
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
    const saved = { schedule, zone: await scheduler.zoneOf(schedule) }
    return { view: notice(savedText(saved, id === undefined, new Date(now()))) }
  }

  return {
    commands: [
      {
        command: 'billing',
        word: 'schedule',
        needs: 'billing',
        openModal: (interaction) => open(interaction),
      },
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
        action: ACTIONS.scheduleChannel,
        needs: 'billing',
        async handle(interaction, { action_id, selected_conversation }, { viewId, actionTs }) {
          if (viewId === undefined) throw new ForgedValueError('a channel that was chosen in no form')
          await modals.redraw(interaction.actor, { viewId, actionTs }, async () => {
            const id = readChannelActionId(action_id)
            const schedule = id === undefined ? undefined : await store.schedules.get(interaction.tenant, id)
            const isGone = id !== undefined && !schedule
            return isGone ? notice(notFound) : form(interaction, selected_conversation ?? '', schedule)
          })
          return undefined
        },
      },
    ],
    submissions: [
      {
        view: VIEWS.schedule,
        needs: 'billing',
        slow,
        handle: (interaction, view) => save(interaction, readSchedule(view), view.id),
      },
    ],
  }
}
