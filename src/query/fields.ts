import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../services.ts'
import { LIMITS, type Option, option, plain } from '../slack/blocks/blocks.ts'
import { text } from '../slack/forms/fields.ts'
import { createField, optionalField } from '../slack/forms/form.ts'
import type { OptionsRoute } from '../slack/routing/routes.ts'
import { AgentLabels, hasId } from '../telephony/agent-labels.ts'
import * as phoneLines from '../telephony/lines.ts'
import { NUMBER_DIGITS, readSearchable } from '../telephony/phone-numbers.ts'
import { parseLength } from '../time/lengths.ts'
import { dayPartText } from '../time/ranges.ts'
import { filterByName } from '../util/names.ts'
import { isBlank, takeStart } from '../util/text.ts'
import { AGENT_LENGTHS, type ResolvedFilters } from './filters/filter.ts'

const AGENT_MENU = 'calls.agent'
const LINE_MENU = 'calls.line'

/** Returns the part of an agent's id that fits a button or an option. */
export const toMenuAgentId = ({ id }: { id: string }): string => takeStart(id, AGENT_LENGTHS.id)

const agentOption = (id: string, name: string) => option(name || id, toMenuAgentId({ id }))

const lineOption = (number: string, names: phoneLines.LineNames) =>
  option(names.getDetail(number), takeStart(number, phoneLines.MAX_LINE_LENGTH))

/** Slack refuses a menu with a blank option, or with two of one value. */
function toOptions<T>(items: readonly T[], toOption: (item: T) => Option): readonly Option[] {
  const options = items.map(toOption).filter(({ value }) => !isBlank(value))
  const unique = new Map(options.map((menuOption) => [menuOption.value, menuOption]))
  return [...unique.values()].slice(0, LIMITS.options)
}

export const menuRoutes = ({ agentList, lineList, workspaces }: Services): readonly OptionsRoute[] => [
  {
    action: AGENT_MENU,
    needs: 'calls',
    async handle({ interaction, typed }) {
      const account = await workspaces.getAccount(interaction.tenant)
      const { agents } = await agentList.get(account)
      const labels = new AgentLabels(agents)
      const found = filterByName(agents.filter(hasId), typed)
      return toOptions(found, (agent) => agentOption(agent.id, labels.get(agent)))
    },
  },
  {
    action: LINE_MENU,
    needs: 'calls',
    async handle({ interaction, typed }) {
      const { tenant } = interaction
      const names = await workspaces.getLineNames(tenant)
      const account = await workspaces.getAccount(tenant)
      const numbers = await lineList.numbers(account)
      const found = phoneLines.searchLines(names.mergeNumbers(numbers), names, typed)
      return toOptions(found, (number) => lineOption(number, names))
    },
  },
]

/** Menu whose options one of the `menuRoutes` loads. */
export function searchMenu(id: string, placeholder: string, initial: Option | undefined) {
  const menu: types.ExternalSelect = {
    type: 'external_select',
    action_id: id,
    min_query_length: 0,
    placeholder: plain(placeholder, LIMITS.placeholder),
  }
  if (initial) menu.initial_option = initial
  return menu
}

export function agentField({ agentId, agentName = '' }: ResolvedFilters, placeholder = 'All agents') {
  const initial = agentId === undefined ? undefined : agentOption(agentId, agentName)
  const element = () => searchMenu(AGENT_MENU, placeholder, initial)
  return createField({ label: 'Agent', schema: z.string(), element })
}

const lineNumberSchema = z.string().min(1).max(phoneLines.MAX_LINE_LENGTH)

export function lineField(number: string | undefined, names: phoneLines.LineNames) {
  const initial = number === undefined ? undefined : lineOption(number, names)
  return optionalField({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    schema: lineNumberSchema,
    element: () => searchMenu(LINE_MENU, 'All lines', initial),
  })
}

export const linesField = (initial: readonly string[], names: phoneLines.LineNames, max: number) =>
  createField({
    label: 'Lines',
    isOptional: true,
    schema: z.array(lineNumberSchema).default([]),
    validate: (numbers) => (numbers.length > max ? `Choose up to ${max} lines.` : undefined),
    element() {
      const menu: types.MultiExternalSelect = {
        ...searchMenu(LINE_MENU, 'All lines', undefined),
        type: 'multi_external_select',
        max_selected_items: max,
      }
      if (initial.length > 0) menu.initial_options = initial.map((number) => lineOption(number, names))
      return menu
    },
  })

export function digitsField(initial: string | undefined) {
  const { min, max } = NUMBER_DIGITS
  return text('Number', {
    hint: `All or part of the number called: at least ${min} digits.`,
    isOptional: true,
    initial,
    validate(typed) {
      if (typed === '' || readSearchable(typed) !== undefined) return undefined
      return `Enter ${min} to ${max} digits.`
    },
  })
}

export const lengthField = (label: string, initial: string | undefined) =>
  text(label, {
    hint: 'For example 5m, 90s or 1:30.',
    isOptional: true,
    initial,
    validate(typed) {
      if (typed === '' || parseLength(typed) !== undefined) return undefined
      return 'Enter a time: 5m, 90s or 1:30.'
    },
  })

export const dayPartTexts = {
  any: 'All day',
  morning: `Morning, ${dayPartText('morning')}`,
  afternoon: `Afternoon, ${dayPartText('afternoon')}`,
  evening: `Evening, ${dayPartText('evening')}`,
}

export const resultTexts = { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' }
