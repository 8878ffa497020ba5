import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { type Errors, enteredIn } from '../../slack/forms/form.ts'
import type { ActionPayload, ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type CommandRoute,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { several } from '../../util/promises.ts'
import { joinNames } from '../../util/text.ts'
import {
  chooseWho,
  describeRules,
  listPeople,
  RULES_TITLE,
  RULES_VIEW,
  readRules,
  rulesModal,
} from './rules-form.ts'

const rulesCommands = [
  ['callboard', 'access'],
  ['calls', 'access'],
  ['calls', 'settings'],
  ['billing', 'settings'],
] as const

function notMembersText(names: readonly string[]): string {
  const are = names.length === 1 ? "isn't a full member" : "aren't full members"
  return `${joinNames(names, { most: 3 })} ${are} of this workspace. Guests, bots and people who left can't be chosen.`
}

/** The form with a workspace's access rules. */
class RulesForm {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  async open(
    { actor, tenant, channel }: Interaction,
    entered?: Readonly<Record<string, unknown>>,
  ): Promise<types.ModalView> {
    return rulesModal(actor, channel, await this.#services.guards.rules(tenant), entered)
  }

  /** Shows the lists of people that the choices so far require. */
  async redraw(interaction: Interaction, { view, action_ts: actionTs }: ActionPayload): Promise<undefined> {
    if (!view) return
    await this.#services.modals.redraw(interaction.actor, { viewId: view.id, actionTs }, () =>
      this.open(interaction, enteredIn(view)),
    )
  }

  async submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const before = await this.#services.guards.rules(interaction.tenant)
    const read = readRules(view, before)
    if (read === 'incomplete') return { view: await this.open(interaction, enteredIn(view)) }
    if ('errors' in read) return read
    const errors = await this.#findErrors(interaction, read.rules, before)
    if (Object.keys(errors).length > 0) return { errors }
    await this.#save(interaction, read.rules, before)
    return { view: noticeModal('Saved. Changes apply now.', { title: RULES_TITLE }) }
  }

  /** Refuses added people who aren't members. Former ones may stay: they get no access. */
  async #findErrors(
    { actor: { installation, team } }: Interaction,
    rules: AccessRecord,
    before: AccessRecord,
  ): Promise<Errors> {
    const { people } = this.#services
    const former = listPeople(before)
    const errors: Record<string, string> = {}
    for (const [id, named] of listPeople(rules)) {
      const added = named.filter((person) => !former.get(id)?.includes(person))
      const found = await several(added, askedAtATime, (person) => people.find(installation, team, person))
      const names = found.filter(({ isMember }) => !isMember).map(({ name }) => name)
      if (names.length > 0) errors[id] = notMembersText(names)
    }
    return errors
  }

  async #save({ actor, tenant }: Interaction, rules: AccessRecord, before: AccessRecord): Promise<void> {
    const { store, audit, homeTab } = this.#services
    await store.access.set(rules, tenant)
    if (isDeepStrictEqual(before, rules)) return
    const [named, former] = [rules.administrators, before.administrators]
    const added = named.filter((person) => !former.includes(person))
    const removed = former.filter((person) => !named.includes(person))
    await audit.record(actor, 'settings', { detail: describeRules(rules) })
    if (added.length > 0) await audit.record(actor, 'may manage Callboard', { people: added })
    if (removed.length > 0) await audit.record(actor, 'may no longer manage Callboard', { people: removed })
    homeTab.emit('outdated', actor)
  }
}

/** `/callboard access`: who can see what, and who the administrators are. */
export function accessRules(services: Services): FeatureRoutes {
  const form = new RulesForm(services)
  const open = { needs: 'admin', openModal: (interaction: Interaction) => form.open(interaction) } as const
  return {
    commands: rulesCommands.map(([command, word]): CommandRoute => ({ command, word, ...open })),
    actions: bind(
      { open: settingsAction, who: chooseWho },
      {
        open,
        who: {
          needs: 'admin',
          handle: (interaction, _value, _place, clicked) => form.redraw(interaction, clicked),
        },
      },
    ),
    submissions: [
      {
        view: RULES_VIEW,
        needs: 'admin',
        waiting: 'Saving… this takes a moment.',
        handle: (interaction, view) => form.submit(interaction, view),
      },
    ],
  }
}
