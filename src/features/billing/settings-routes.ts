import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { enteredIn } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { type AccessRecord, areas } from '../../store/workspaces.ts'
import { several } from '../../util/promises.ts'
import {
  namedPeople,
  notMembersText,
  peopleDetail,
  readSettings,
  settingsActions,
  settingsDetail,
  settingsForm,
  settingsModal,
  title,
} from './settings-form.ts'

export const savedModal = noticeModal('Saved. It takes effect now.', { title })

/** What rules come to: people whom an area that is for others had before make no difference. */
const effectOf = (rules: AccessRecord) => [
  areas.map((area) => rules[area].who),
  rules.exports,
  [...namedPeople(rules)],
]

/** `/billing settings` and Access…: who may see what, and who the administrators are. */
export function settings({ store, guards, people, modals, audit, homeTab }: Services): FeatureRoutes {
  const modalOf = (
    { actor, channel }: Interaction,
    rules: AccessRecord,
    entered?: Readonly<Record<string, unknown>>,
  ) => {
    const { hasSlackRoles } = actor.installation
    return settingsModal(actor.team, channel, rules, { hasSlackRoles, ...(entered ? { entered } : {}) })
  }

  const open = async (interaction: Interaction) =>
    modalOf(interaction, await guards.rules(interaction.tenant))

  /** Shows the lists of people of the areas that are for selected people now. What was chosen in the others stays. */
  function showLists(interaction: Interaction, view: ViewPayload, actionTs: string): Promise<void> {
    return modals.redraw(interaction.actor, { viewId: view.id, actionTs }, async () =>
      modalOf(interaction, await guards.rules(interaction.tenant), enteredIn(view)),
    )
  }

  /** Below the inputs with somebody who can't have access; who was named before stays, and gets none. */
  async function refusals({ actor }: Interaction, rules: AccessRecord, before: AccessRecord) {
    const former = namedPeople(before)
    const added = [...namedPeople(rules)].map(
      ([id, named]) => [id, named.filter((person) => !former.get(id)?.includes(person))] as const,
    )
    const { installation, team } = actor
    const ids = new Set(added.flatMap(([, named]) => named))
    const found = new Map(
      await several(
        [...ids],
        askedAtATime,
        async (id) => [id, await people.find(installation, team, id)] as const,
      ),
    )
    const refused = added.flatMap(([id, named]) => {
      const others = named.flatMap((person) => found.get(person) ?? []).filter(({ isMember }) => !isMember)
      return others.length > 0 ? [[id, notMembersText(others.map(({ name }) => name))] as const] : []
    })
    return Object.fromEntries(refused)
  }

  /** Keeps the rules, and notes what is new in them; nothing, where nothing is. */
  async function keep({ actor, tenant }: Interaction, rules: AccessRecord, before: AccessRecord) {
    await store.access.set(rules, tenant)
    if (isDeepStrictEqual(effectOf(before), effectOf(rules))) return
    const [named, former] = [rules.administrators, before.administrators]
    const added = named.filter((person) => !former.includes(person))
    const removed = former.filter((person) => !named.includes(person))
    await audit.record(actor, 'settings', settingsDetail(rules))
    if (added.length > 0) await audit.record(actor, 'may manage Callboard', peopleDetail(added))
    if (removed.length > 0) await audit.record(actor, 'may no longer manage Callboard', peopleDetail(removed))
    homeTab.emit('outdated', actor)
  }

  async function save(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const before = await guards.rules(interaction.tenant)
    const read = readSettings(view, before)
    if (read === 'incomplete') return { view: modalOf(interaction, before, enteredIn(view)) }
    if ('errors' in read) return read
    const { rules } = read
    const errors = await refusals(interaction, rules, before)
    if (Object.keys(errors).length > 0) return { errors }
    await keep(interaction, rules, before)
    return { view: savedModal }
  }

  return {
    commands: [{ command: 'billing', word: 'settings', needs: 'admin', openModal: open }],
    actions: bind(settingsActions, {
      open: { needs: 'admin', openModal: open },
      who: {
        needs: 'admin',
        async handle(interaction, _, { actionTs }, { view }) {
          if (view) await showLists(interaction, view, actionTs)
          return undefined
        },
      },
    }),
    submissions: [
      { view: settingsForm, needs: 'admin', waiting: 'Saving… this takes a moment.', handle: save },
    ],
  }
}
