import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { action } from '../../slack/blocks/action.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { choice, people as peopleField } from '../../slack/forms/fields.ts'
import { type Errors, enteredIn, type Field, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type CommandRoute,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { type AccessRecord, type Area, accessRecord, areas } from '../../store/workspaces.ts'
import { several } from '../../util/promises.ts'
import { joinNames } from '../../util/text.ts'

const title = 'Access'

const settingsActions = { open: settingsAction, who: action('billing.settings.who.') }

const choices = {
  everyone: 'Everyone in this workspace',
  admins: 'Administrators',
  people: 'Administrators and selected people',
}
const labels: Readonly<Record<Area, readonly [area: string, people: string]>> = {
  calls: ['Calls', 'Who can see calls'],
  recordings: ['Recordings', 'Who can listen to recordings'],
  agents: ['Agents', 'Who can see agents'],
  billing: ['Billing', 'Who can see and post billing'],
}

const peopleId = (area: Area) => `${area}.people`

/** @param hasSlackRoles whether Slack tells who the workspace's admins and owners are */
function formOf(rules: AccessRecord, hasSlackRoles: boolean) {
  const ofAreas = areas.flatMap((area): [string, Field<unknown>][] => {
    const [label, peopleLabel] = labels[area]
    const { who, people: named } = rules[area]
    const redraw = settingsActions.who.named(area)
    const chosen = peopleField(peopleLabel, named).checked((ids) =>
      ids.length === 0 ? 'Choose at least one person.' : undefined,
    )
    return [
      [area, choice(label, choices, who, { redraw })],
      [peopleId(area), chosen.shownIf(area, 'people')],
    ]
  })
  const exportTexts = { everyone: 'Everyone who can see calls', admins: 'Administrators' }
  const anyway = hasSlackRoles
    ? "In addition to this workspace's admins and owners, and whoever installed Callboard."
    : "In addition to whoever installed Callboard: Slack doesn't tell Callboard who is an admin of a single workspace of your organisation."
  const hint = `${anyway} Administrators connect the phone account, see SIP passwords and decide who has access.`
  return new Form<Record<string, unknown>>({
    ...Object.fromEntries(ofAreas),
    exports: choice('Exports of calls', exportTexts, rules.exports),
    administrators: peopleField('Administrators', rules.administrators, { hint, isOptional: true }),
  })
}

const settingsForm = 'billing.settings'

/**
 * Who may see calls, listen to them, see agents and billing, and who may decide that; for administrators. Pure.
 * @param entered what was chosen so far, where it is shown anew
 */
const settingsModal = (
  { team, installation }: Actor,
  channel: string,
  rules: AccessRecord,
  entered: Readonly<Record<string, unknown>> = {},
): types.ModalView =>
  modal({
    id: settingsForm,
    origin: { team, channel },
    title,
    submit: 'Save',
    blocks: [
      section('Administrators always have access. Guests never do.'),
      ...formOf(rules, installation.hasSlackRoles).inputs(entered),
      context('Takes effect when you save.'),
    ],
  })

/**
 * The rules that were chosen; `incomplete` where it was submitted before the people were asked for.
 * @throws {ForgedValueError}
 */
function readSettings(
  view: ViewPayload,
  before: AccessRecord,
): { readonly rules: AccessRecord } | { readonly errors: Errors } | 'incomplete' {
  const filled = formOf(before, true).read(view)
  if (!filled.values) return filled.isIncomplete ? 'incomplete' : { errors: filled.errors }
  const { values } = filled
  const ofAreas = areas.map((area) => [area, { who: values[area], people: values[peopleId(area)] ?? [] }])
  const rules = { ...values, ...Object.fromEntries(ofAreas) }
  return { rules: parsePayload(accessRecord, rules, 'the rules of the settings modal') }
}

/** The people of each input, by its block's id: those that are shown. */
const namedPeople = (rules: AccessRecord): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...areas.flatMap((area) =>
      rules[area].who === 'people' ? [[peopleId(area), rules[area].people] as const] : [],
    ),
    ['administrators', rules.administrators],
  ])

/** Below an input with people who can't have access. @param names as other people see them */
function notMembersText(names: readonly string[]): string {
  const are = names.length === 1 ? "isn't a full member" : "aren't full members"
  return `${joinNames(names, { most: 3 })} ${are} of this workspace. Guests, bots and people who left can't be chosen.`
}

/** For the audit log: `calls everyone, billing 2 people, exports admins`. */
function settingsDetail(rules: AccessRecord): string {
  const details = areas.map((area) => {
    const { who, people } = rules[area]
    return `${area} ${who === 'people' ? `${people.length} people` : who}`
  })
  return [...details, `exports ${rules.exports}`].join(', ')
}

const savedModal = noticeModal('Saved. Changes apply now.', { title })

/** What rules come to: people whom an area that is for others had before make no difference. */
const effectOf = (rules: AccessRecord) => [
  areas.map((area) => rules[area].who),
  rules.exports,
  [...namedPeople(rules)],
]

/** `/callboard access`, `/billing settings` and Access…: who may see what, and who the administrators are. */
export function settings({ store, guards, people, modals, audit, homeTab }: Services): FeatureRoutes {
  const open = async ({ actor, tenant, channel }: Interaction, entered?: Readonly<Record<string, unknown>>) =>
    settingsModal(actor, channel, await guards.rules(tenant), entered)

  /** Below the inputs with somebody who can't have access; who was named before stays, and gets none. */
  async function refusals(
    { actor }: Interaction,
    rules: AccessRecord,
    before: AccessRecord,
  ): Promise<Errors> {
    const former = namedPeople(before)
    const added = [...namedPeople(rules)].map(
      ([id, named]) => [id, named.filter((person) => !former.get(id)?.includes(person))] as const,
    )
    const ids = [...new Set(added.flatMap(([, named]) => named))]
    const find = (id: string) => people.find(actor.installation, actor.team, id)
    const others = (await several(ids, askedAtATime, find)).filter(({ isMember }) => !isMember)
    const refused = added.flatMap(([id, named]) => {
      const names = others.filter((person) => named.includes(person.id)).map(({ name }) => name)
      return names.length > 0 ? [[id, notMembersText(names)] as const] : []
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
    await audit.record(actor, 'settings', { detail: settingsDetail(rules) })
    if (added.length > 0) await audit.record(actor, 'may manage Callboard', { people: added })
    if (removed.length > 0) await audit.record(actor, 'may no longer manage Callboard', { people: removed })
    homeTab.emit('outdated', actor)
  }

  async function save(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const before = await guards.rules(interaction.tenant)
    const read = readSettings(view, before)
    if (read === 'incomplete') return { view: await open(interaction, enteredIn(view)) }
    if ('errors' in read) return read
    const errors = await refusals(interaction, read.rules, before)
    if (Object.keys(errors).length > 0) return { errors }
    await keep(interaction, read.rules, before)
    return { view: savedModal }
  }

  return {
    commands: [
      ...[
        { command: 'callboard', word: 'access' },
        { command: 'billing', word: 'settings' },
      ].map((own): CommandRoute => {
        return { ...own, needs: 'admin', openModal: (interaction) => open(interaction) }
      }),
    ],
    actions: bind(settingsActions, {
      open: { needs: 'admin', openModal: (interaction) => open(interaction) },
      who: {
        needs: 'admin',
        // Shows the lists of people of the areas that are for selected people now. What was chosen in the others stays.
        async handle(interaction, _, { actionTs }, { view }) {
          if (!view) return undefined
          const { actor } = interaction
          await modals.redraw(actor, { viewId: view.id, actionTs }, () => open(interaction, enteredIn(view)))
          return undefined
        },
      },
    }),
    submissions: [
      { view: settingsForm, needs: 'admin', waiting: 'Saving… this takes a moment.', handle: save },
    ],
  }
}
