import type { ScheduleKind } from '../../scheduler/kind.ts'
import type { KindInfo } from '../../scheduler/kinds.ts'
import type { Services } from '../../services.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { type FormOrigin, type ListPlace, listOf, readFormOrigin } from '../../slack/deliver/form-origin.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { BoundAll, FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import type { Schedule } from '../../store/schedules.ts'
import { notFound } from './list.ts'
import { ScheduleLists } from './lists.ts'
import { readSchedule, scheduleModal, titleOf } from './modal.ts'
import { previewModal, readPreviewed } from './preview-modal.ts'
import { fullText, ScheduleSaver } from './save.ts'

export const slowTexts = ({ posts }: Pick<KindInfo, 'posts'>) => ({
  title: titleOf({ posts }),
  waiting: 'Saving…',
  failed:
    'Sorry, something went wrong on our side, so this may not be saved. Check your schedules, then try again.',
})

/** Nothing is saved by then. */
export const previewTexts = (info: Pick<KindInfo, 'posts'>) => ({
  ...slowTexts(info),
  waiting: 'Reading the calls…',
  failed: 'Sorry, something went wrong on our side. Nothing was saved. Try again.',
})

/** `/billing schedule`, `/calls schedule`: the form in which a schedule of one kind is made and changed. */
export function scheduleForms(
  { workspaces, channels, modals, audit, now }: Services,
  kind: ScheduleKind,
): Required<Pick<FeatureRoutes, 'commands' | 'submissions'>> & {
  readonly bound: Pick<BoundAll<KindInfo['actions']>, 'new' | 'edit' | 'channel'>
} {
  const { info, scheduler, preview } = kind
  const { needs, command } = info
  const saver = new ScheduleSaver({ channels, audit, now }, kind, new ScheduleLists({ now }, kind))

  /** @param chosen empty where no channel is */
  async function form(
    { actor: { team }, channel }: Interaction,
    {
      chosen,
      schedule,
      list,
    }: { chosen: string; schedule?: Schedule | undefined; list?: FormOrigin['list'] },
  ) {
    const zone = await scheduler.zoneOf({ tenant: team, channel: chosen })
    const own = chosen === '' ? undefined : { channel: chosen, zone }
    return scheduleModal(kind, { team, channel, chosen: own, schedule, list })
  }

  async function open(
    interaction: Interaction,
    { schedule, list }: { schedule?: Schedule; list?: ListPlace | undefined } = {},
  ) {
    const { tenant, channel, channelName } = interaction
    // Who is not connected is told so before filling in a form.
    await workspaces.account(tenant)
    if (!schedule && (await saver.isFull(interaction))) return saver.notice(fullText)
    const here = isDirectConversation(channel, channelName) ? '' : channel
    return form(interaction, { chosen: schedule?.channel ?? here, schedule, list })
  }

  /** What was previewed has no field that an error could stand below. */
  async function saveAsPreviewed(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const saved = await saver.save(interaction, readPreviewed(view))
    return 'errors' in saved ? { view: saver.notice(Object.values(saved.errors).join('\n')) } : saved
  }

  return {
    commands: [{ command, word: 'schedule', needs, openModal: (interaction) => open(interaction) }],
    bound: {
      new: {
        needs,
        openModal: (interaction, { page }, place) => open(interaction, { list: listOf(place, page) }),
      },
      edit: {
        needs,
        async openModal(interaction, { id, page }, place) {
          const schedule = await scheduler.schedules.get(interaction.tenant, id)
          return schedule
            ? open(interaction, { schedule, list: listOf(place, page) })
            : saver.notice(notFound)
        },
      },
      channel: {
        needs,
        async handle(interaction, _value, { viewId, actionTs }, { selected_conversation, view }) {
          if (viewId === undefined || !view)
            throw new ForgedValueError('a channel that was chosen in no form')
          await modals.redraw(interaction.actor, { viewId, actionTs }, async () => {
            const { id, list } = readFormOrigin(view)
            const schedule =
              id === undefined ? undefined : await scheduler.schedules.get(interaction.tenant, id)
            if (id !== undefined && !schedule) return saver.notice(notFound)
            return form(interaction, { chosen: selected_conversation ?? '', schedule, list })
          })
          return undefined
        },
      },
    },
    submissions: [
      {
        view: info.form,
        needs,
        slow: preview ? previewTexts(info) : slowTexts(info),
        async handle(interaction, view) {
          const read = readSchedule(view, kind)
          if ('errors' in read) return read
          const filled = { draft: read.draft, origin: readFormOrigin(view), newId: view.id }
          if (!preview) return saver.save(interaction, filled)
          const refusal = await saver.refusal(interaction, filled)
          if (refusal) return refusal
          const { actor, channel } = interaction
          const zone = await scheduler.zoneOf({ tenant: actor.team, channel: filled.draft.channel })
          const blocks = await preview(interaction, filled.draft, zone)
          const shown = { team: actor.team, channel, filled, zone, blocks, now: new Date(now()) }
          return { view: previewModal(info, shown) }
        },
      },
      ...(info.preview === undefined
        ? []
        : [{ view: info.preview, needs, slow: slowTexts(info), handle: saveAsPreviewed }]),
    ],
  }
}
