import type { Services } from '../../services.ts'
import { action } from '../../slack/blocks/actions.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { settingsAction } from '../../slack/blocks/buttons.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { choice, people } from '../../slack/forms/fields.ts'
import { type Entered, type Field, Form, readEntered } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { type AccessRecord, type Area, accessSchema, areas } from '../../store/workspaces.ts'
import * as words from './words.ts'

// The ids are from when billing alone had rules: open forms and old buttons keep them.
const RULES_VIEW = 'billing.settings'
const RULES_TITLE = 'Access'

/** Shows or hides the list of people below a choice. Only the form has it. */
const chooseWho = action('billing.settings.who.')
const rulesActions = { open: settingsAction, who: chooseWho }

const introText =
  'Administrators always have access. Guests, bots and people who left never do, even if you choose them. Guests read what is posted in their channels.'

const toPeopleId = (area: Area) => `${area}.people`

/** Slack refuses an empty list that the form shows; this is for a list that the form doesn't show yet. */
const requirePeople = (ids: readonly string[]) =>
  ids.length === 0 ? 'Choose at least one person.' : undefined

/** Asks for people below each area that is for selected people. @param entered the choices so far */
function createRulesForm(rules: AccessRecord, entered: Entered) {
  const fields: Record<string, Field<unknown>> = {}
  for (const area of areas) {
    const rule = rules[area]
    const redraw = chooseWho.named(area)
    fields[area] = choice(`Who else has access to ${area}`, words.whoTexts, rule.who, { redraw })
    if ((entered[area] ?? rule.who) === 'people')
      fields[toPeopleId(area)] = people('Selected people', rule.people, { validate: requirePeople })
  }
  fields['exports'] = choice('Who else exports calls', words.exportTexts, rules.exports)
  const hint =
    "In addition to whoever installed Callboard, and this workspace's admins and owners. After an installation for a whole organization, Slack doesn't tell Callboard who those are. Administrators connect the phone account, see SIP passwords and decide who has access."
  fields['administrators'] = people('Administrators', rules.administrators, { hint, isOptional: true })
  return new Form(fields)
}

/** Takes the values of `createRulesForm`, and parses them again: which fields there are depends on the choices. */
function toAccessRecord(values: Readonly<Record<string, unknown>>): AccessRecord {
  const { exports, administrators } = values
  const record: Record<string, unknown> = { exports, administrators }
  for (const area of areas) record[area] = { who: values[area], people: values[toPeopleId(area)] ?? [] }
  return parsePayload(accessSchema, record, 'the access rules')
}

async function openRules(services: Services, interaction: routing.Interaction, entered: Entered = {}) {
  const { actor, tenant, channel } = interaction
  const rules = await services.guards.getRules(tenant)
  const form = createRulesForm(rules, entered)
  return modal({
    id: RULES_VIEW,
    origin: { workspace: actor.workspace, channel },
    title: RULES_TITLE,
    submit: 'Save',
    blocks: [section(introText), ...form.buildInputs(), context('Takes effect when you save.')],
  })
}

async function saveRules(
  services: Services,
  interaction: routing.Interaction,
  view: ViewPayload,
): Promise<routing.SubmissionResult> {
  const { store, guards, audit, homeTab } = services
  const { actor, tenant } = interaction
  const before = await guards.getRules(tenant)
  const entered = readEntered(view)
  const { values } = createRulesForm(before, entered).read(view)
  // The only error is `requirePeople`'s, so the list is shown now.
  if (!values) return { view: await openRules(services, interaction, entered) }
  const rules = toAccessRecord(values)
  await store.access.set(rules, tenant)
  const changes = words.describeChanges(before, rules)
  for (const { what, people } of changes) await audit.record(actor, what, { people })
  if (changes.length > 0) homeTab.emit('outdated', actor)
  const text = `Saved. Changes apply now.\n${words.accessText(rules, actor)}`
  return { view: messageModal(text, { title: RULES_TITLE }) }
}

export function accessRules(services: Services): routing.FeatureRoutes {
  const open: routing.Handler<object> = {
    needs: 'admin',
    opensModal: true,
    handle: ({ interaction }) => openRules(services, interaction),
  }
  return {
    commands: [
      { command: 'callboard', word: 'access', ...open },
      { command: 'calls', word: 'access', aliases: ['settings'], ...open },
      { command: 'billing', word: 'settings', ...open },
    ],
    actions: routing.bind(rulesActions, {
      open,
      who: {
        needs: 'admin',
        async handle({ interaction, click }) {
          if (!click.view) return undefined
          return openRules(services, interaction, readEntered(click.view))
        },
      },
    }),
    submissions: [
      {
        view: RULES_VIEW,
        needs: 'admin',
        handle: ({ interaction, view }) => saveRules(services, interaction, view),
      },
    ],
  }
}
