import { alertActions, alertPages, type MuteLength, type OfAlert } from '../../alerts/alert-buttons.ts'
import { alertDetail } from '../../alerts/alert-text.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import type { ActionPayload } from '../../slack/inbound/payloads.ts'
import { type Bound, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { type AlertRecord, isMuted } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { addDays } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, startOfDay } from '../../time/zones.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import {
  deletedNote,
  mutedNote,
  notFound,
  pausedNote,
  resumedNote,
  takenOverNote,
  unmutedNote,
} from './list.ts'
import { AlertLists } from './lists.ts'

const hourMs: Milliseconds = 60 * 60_000

/** When it speaks again: where the clocks change at midnight, the day begins later. */
const muteEnd = (length: MuteLength, zone: Zone, now: EpochMs): EpochMs =>
  length === 'hour' ? now + hourMs : startOfDay(zone, addDays(localDay(zone, new Date(now)), 1)).getTime()

/** What a button does to an alert. */
interface AlertChange {
  /** For the audit log. */
  readonly what: string
  /** `undefined`: another button of the same list, or somebody else, has done it already. */
  change(
    alert: AlertRecord,
    by: { readonly person: string; readonly zone: Zone; readonly now: EpochMs },
  ): AlertRecord | undefined
  note(alert: AlertRecord, names: LineNames, zone: Zone, now: Date): string
}

const pause: AlertChange = {
  what: 'alert paused',
  change: (alert, { person }) =>
    alert.isPaused ? undefined : { ...alert, isPaused: true, pausedBy: person, mutedUntil: undefined },
  note: pausedNote,
}
const resume: AlertChange = {
  what: 'alert resumed',
  change: (alert, { person, now }) =>
    alert.isPaused
      ? { ...alert, isPaused: false, pausedBy: undefined, owner: person, since: now }
      : undefined,
  note: resumedNote,
}
/** On the home tab, where whoever set it up may not see calls any more. */
const takeOver: AlertChange = {
  what: 'alert taken over',
  change: ({ pausedBy: _, ...alert }, { person, now }) =>
    alert.owner === person && !alert.isPaused
      ? undefined
      : { ...alert, isPaused: false, owner: person, ...(alert.isPaused ? { since: now } : {}) },
  note: takenOverNote,
}
const muteFor = (length: MuteLength): AlertChange => ({
  what: 'alert muted',
  change: (alert, { person, zone, now }) => ({
    ...alert,
    mutedUntil: muteEnd(length, zone, now),
    mutedBy: person,
  }),
  note: mutedNote,
})
const unmute: AlertChange = {
  what: 'alert unmuted',
  // What was missed until now stays untold.
  change: (alert, { now }) => (isMuted(alert, now) ? { ...alert, mutedUntil: now } : undefined),
  note: unmutedNote,
}

/** `/calls alerts`: what there is, and what is done about each. */
export function alertList({ store, alerts, workspaces, audit, now }: Services): FeatureRoutes {
  const lists = new AlertLists({ alerts, workspaces, now })

  /** @param isDone whether it was this click that did it */
  async function answer(
    interaction: Interaction,
    {
      view,
      page,
      isDone,
    }: { readonly view: ActionPayload['view']; readonly page: number; readonly isDone: boolean },
    note: string,
  ): Promise<Answer> {
    if (view?.type !== 'home') return lists.show(interaction, page, note)
    // The home tab shows an alert as it was before somebody else changed it.
    if (!isDone) audit.emit('recorded', interaction.actor)
    return textAnswer(note)
  }

  const button = <Value extends OfAlert>(changeFor: (value: Value) => AlertChange): Bound<Value> => ({
    needs: 'calls',
    async handle(interaction, value, _, { view }) {
      const { what, change, note } = changeFor(value)
      const { actor, tenant } = interaction
      const { id, page } = value
      const before = await store.alerts.get(tenant, id)
      if (!before) return answer(interaction, { view, page, isDone: false }, notFound)
      const [{ zone }, names] = await Promise.all([
        workspaces.zone(tenant, before.channel),
        workspaces.lineNames(tenant),
      ])
      const at = now()
      const by = { person: actor.person.id, zone, now: at }
      const changed = await alerts.change(tenant, id, (alert) => change(alert, by))
      if (changed) await audit.record(actor, what, alertDetail(changed, names))
      const said = note(changed ?? before, names, zone, new Date(at))
      return answer(interaction, { view, page, isDone: changed !== undefined }, said)
    },
  })

  return {
    commands: [
      { command: 'calls', word: 'alerts', needs: 'calls', handle: (interaction) => lists.show(interaction) },
    ],
    actions: [
      ...bind(alertPages, {
        page: { needs: 'calls', handle: (interaction, { page }) => lists.show(interaction, page) },
      }),
      ...bind(alertActions, {
        pause: button(() => pause),
        resume: button(() => resume),
        takeOver: button(() => takeOver),
        mute: button(({ for: length }) => muteFor(length)),
        unmute: button(() => unmute),
        delete: {
          needs: 'calls',
          async handle(interaction, { id, page }, _, { view }) {
            const { actor, tenant } = interaction
            const [alert, names] = await Promise.all([
              store.alerts.get(tenant, id),
              workspaces.lineNames(tenant),
            ])
            const isDone = alert !== undefined && (await alerts.delete(tenant, id))
            if (isDone) await audit.record(actor, 'alert deleted', alertDetail(alert, names))
            return answer(interaction, { view, page, isDone }, isDone ? deletedNote(alert, names) : notFound)
          },
        },
      }),
    ],
  }
}
