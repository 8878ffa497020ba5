import type { types } from '@slack/bolt'
import { z } from 'zod'
import { LIMITS, type Option, option, plain } from '../slack/blocks/blocks.ts'
import { choice, text } from '../slack/forms/fields.ts'
import { createField } from '../slack/forms/form.ts'
import { type LineNames, MAX_LINE_LENGTH, NUMBER_DIGITS, readSearchable } from '../telephony/lines.ts'
import type { CallStatus } from '../telephony/types.ts'
import { parseLength, writeLength } from '../time/lengths.ts'
import { type DayPart, dayPartText } from '../time/ranges.ts'
import { takeStart } from '../util/text.ts'
import type { Seconds } from '../util/units.ts'

/** Limits for buttons and menus: the whole query has to fit a block's id. */
export const AGENT_LENGTHS = { id: 37, name: 75 } as const

export const AGENT_MENU = 'calls.agent'
export const LINE_MENU = 'calls.line'

/** An id may be longer than a button or menu can carry. */
export const agentOption = (id: string, name: string) => option(name || id, takeStart(id, AGENT_LENGTHS.id))

export const lineOption = (number: string, names: LineNames) =>
  option(names.getDetail(number), takeStart(number, MAX_LINE_LENGTH))

/** Menu whose options `menuOptions` loads. */
function searchMenu(id: string, placeholder: string, initial: Option | undefined): types.ExternalSelect {
  const menu: types.ExternalSelect = {
    type: 'external_select',
    action_id: id,
    min_query_length: 0,
    placeholder: plain(placeholder, LIMITS.placeholder),
  }
  if (initial) menu.initial_option = initial
  return menu
}

interface FormAgent {
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
}

export function agentField({ agentId, agentName = '' }: FormAgent) {
  const initial = agentId === undefined ? undefined : agentOption(agentId, agentName)
  return createField({
    label: 'Agent',
    isOptional: true,
    schema: z.string().optional(),
    element: () => searchMenu(AGENT_MENU, 'All agents', initial),
  })
}

const lineNumberSchema = z.string().min(1).max(MAX_LINE_LENGTH)

export function lineField(number: string | undefined, names: LineNames) {
  const initial = number === undefined ? undefined : lineOption(number, names)
  return createField({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    isOptional: true,
    schema: lineNumberSchema.optional(),
    element: () => searchMenu(LINE_MENU, 'All lines', initial),
  })
}

export const linesField = (initial: readonly string[], names: LineNames, max: number) =>
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

export const digitsField = (initial: string | undefined) =>
  text('Number', {
    hint: `All or part of the number called: at least ${NUMBER_DIGITS.min} digits.`,
    isOptional: true,
    initial,
    validate(written) {
      if (written === '' || readSearchable(written) !== undefined) return undefined
      return `Enter ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits.`
    },
  })

/** The initial value is in seconds. */
export const lengthField = (label: string, initial: Seconds | undefined) =>
  text(label, {
    isOptional: true,
    initial: initial === undefined ? undefined : writeLength(initial),
    example: '5m, 90s or 1:30',
    validate(written) {
      if (written === '' || parseLength(written) !== undefined) return undefined
      return 'Enter a time: 5m, 90s or 1:30.'
    },
  })

const dayPartTexts = {
  any: 'All day',
  morning: `Morning, ${dayPartText('morning')}`,
  afternoon: `Afternoon, ${dayPartText('afternoon')}`,
  evening: `Evening, ${dayPartText('evening')}`,
}

export const dayPartField = (part: DayPart | undefined) => choice('Hours', dayPartTexts, part ?? 'any')

export const resultField = (status: CallStatus | undefined) =>
  choice(
    'Result',
    { any: 'All calls', answered: 'Answered', missed: 'Missed or unanswered' },
    status ?? 'any',
  )
