import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { LOOKUP_CONCURRENCY } from '../../slack/access/people.ts'
import { action } from '../../slack/blocks/actions.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { settingsAction } from '../../slack/blocks/shared-buttons.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { choice, people } from '../../slack/forms/fields.ts'
import { type Entered, type Errors, enteredIn, type Field, Form } from '../../slack/forms/form.ts'
import { type Click, parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type CommandRoute,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { type AccessRecord, type Area, accessSchema, areas } from '../../store/workspaces.ts'
import { mapConcurrent } from '../../util/promises.ts'
import { capitalize, joinNames } from '../../util/text.ts'

const RULES_VIEW = 'billing.settings'
const RULES_TITLE = 'Access'

/** Shows or hides the list of people below a choice. */
const chooseWho = action('billing.settings.who.')

const whoTexts = {
  everyone: 'Everyone in this workspace',
  admins: 'Administrators',
  people: 'Administrators and selected people',
}
const exportTexts = { everyone: 'Everyone who can see calls', admins: 'Administrators' }

const toPeopleId = (area: Area) => `${area}.people`

const requirePeople = (ids: readonly string[]) =>
  ids.length === 0 ? 'Choose at least one person.' : undefined

const isForPeople = (area: Area, rules: AccessRecord, entered: Entered) =>
  (entered[area] ?? rules[area].who) === 'people'

/** Asks for people below each area that is for selected people. @param entered the choices so far */
function createRulesForm(rules: AccessRecord, entered: Entered, hasSlackRoles = true) {
  const fields: Record<string, Field<unknown>> = {}
  for (const area of areas) {
    const rule = rules[area]
    fields[area] = choice(capitalize(area), whoTexts, rule.who, { redraw: chooseWho.named(area) })
    if (isForPeople(area, rules, entered))
      fields[toPeopleId(area)] = people('Selected people', rule.people).checked(requirePeople)
  }
  fields['exports'] = choice('Exports of calls', exportTexts, rules.exports)
  const others = hasSlackRoles
    ? "In addition to this workspace's admins and owners, and whoever installed Callboard."
    : "In addition to whoever installed Callboard: Slack doesn't tell Callboard who is an admin of a single workspace of your organization."
  const hint = `${others} Administrators connect the phone account, see SIP passwords and decide who has access.`
  fields['administrators'] = people('Administrators', rules.administrators, { hint, isOptional: true })
  return new Form(fields)
}

/** Whether the form was saved before the list of people appeared below a choice. */
const lacksPeople = (rules: AccessRecord, entered: Entered) =>
  areas.some((area) => isForPeople(area, rules, entered) && !(toPeopleId(area) in entered))

function toAccessRecord(values: Entered): AccessRecord {
  const record: Record<string, unknown> = {
    exports: values['exports'],
    administrators: values['administrators'],
  }
  for (const area of areas) record[area] = { who: values[area], people: values[toPeopleId(area)] ?? [] }
  return parsePayload(accessSchema, record, 'the access rules')
}

const listPeople = (rules: AccessRecord): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...areas.map((area) => [toPeopleId(area), rules[area].people] as const),
    ['administrators', rules.administrators],
  ])

/** `calls everyone, billing selected people (2), exports admins` */
function describeRules(rules: AccessRecord): string {
  const details = areas.map((area) => {
    const { who, people: named } = rules[area]
    return `${area} ${who === 'people' ? `selected people (${named.length})` : who}`
  })
  return [...details, `exports ${rules.exports}`].join(', ')
}

const rulesCommands = [
  ['callboard', 'access'],
  ['calls', 'access'],
  ['calls', 'settings'],
  ['billing', 'settings'],
] as const

const notMembersText = (names: readonly string[]): string =>
  `${joinNames(names, { max: 3 })} can't be chosen, like all guests, bots and people who left.`

class RulesForm {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  async open({ actor, tenant, channel }: Interaction, entered: Entered = {}): Promise<types.ModalView> {
    const { workspace, installation } = actor
    const rules = await this.#services.guards.rules(tenant)
    return modal({
      id: RULES_VIEW,
      origin: { workspace, channel },
      title: RULES_TITLE,
      submit: 'Save',
      blocks: [
        section(
          "Administrators always have access. Guests can't ask, but read what is posted in their channels.",
        ),
        ...createRulesForm(rules, entered, installation.hasSlackRoles).inputs(entered),
        context('Takes effect when you save.'),
      ],
    })
  }

  /** Shows the lists of people that the choices so far need. */
  async redraw(interaction: Interaction, click: Click): Promise<undefined> {
    if (!click.view) return
    const view = await this.open(interaction, enteredIn(click.view))
    await this.#services.modals.redraw(interaction.actor, click, view)
  }

  async submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const before = await this.#services.guards.rules(tenant)
    const entered = enteredIn(view)
    if (lacksPeople(before, entered)) return { view: await this.open(interaction, entered) }
    const { values, errors } = createRulesForm(before, entered).read(view)
    if (errors) return { errors }
    const rules = toAccessRecord(values)
    const refused = await this.#findErrors(actor, rules, before)
    if (Object.keys(refused).length > 0) return { errors: refused }
    await this.#services.store.access.set(rules, tenant)
    if (!isDeepStrictEqual(before, rules)) await this.#recordChange(actor, rules, before)
    return { view: messageModal('Saved. Changes apply now.', { title: RULES_TITLE }) }
  }

  /** Refuses added people who aren't members. Former ones may stay: they get no access. */
  async #findErrors(
    { installation, workspace }: Actor,
    rules: AccessRecord,
    before: AccessRecord,
  ): Promise<Errors> {
    const { people: members } = this.#services
    const former = listPeople(before)
    const errors: Record<string, string> = {}
    for (const [id, named] of listPeople(rules)) {
      const added = named.filter((person) => !former.get(id)?.includes(person))
      const found = await mapConcurrent(added, LOOKUP_CONCURRENCY, (person) =>
        members.find(installation, workspace, person),
      )
      const names = found.filter(({ isMember }) => !isMember).map(({ name }) => name)
      if (names.length > 0) errors[id] = notMembersText(names)
    }
    return errors
  }

  async #recordChange(actor: Actor, rules: AccessRecord, before: AccessRecord): Promise<void> {
    const { audit, homeTab } = this.#services
    const [named, former] = [rules.administrators, before.administrators]
    const added = named.filter((person) => !former.includes(person))
    const removed = former.filter((person) => !named.includes(person))
    await audit.record(actor, 'settings', { detail: describeRules(rules) })
    if (added.length > 0) await audit.record(actor, 'may manage Callboard', { people: added })
    if (removed.length > 0) await audit.record(actor, 'may no longer manage Callboard', { people: removed })
    homeTab.emit('outdated', actor)
  }
}

export function accessRules(services: Services): FeatureRoutes {
  const form = new RulesForm(services)
  const open = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction }: { interaction: Interaction }) => form.open(interaction),
  } as const
  return {
    commands: rulesCommands.map(([command, word]): CommandRoute => ({ command, word, ...open })),
    actions: bind(
      { open: settingsAction, who: chooseWho },
      {
        open,
        who: {
          needs: 'admin',
          handle: ({ interaction, click }) => form.redraw(interaction, click),
        },
      },
    ),
    submissions: [
      {
        view: RULES_VIEW,
        needs: 'admin',
        waiting: 'Saving… this takes a moment.',
        handle: ({ interaction, view }) => form.submit(interaction, view),
      },
    ],
  }
}
