import type { types } from '@slack/bolt'
import { formOrigin, type ListPlace } from '../../slack/answers/form-origin.ts'
import { action } from '../../slack/blocks/action.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { agentMenuId } from '../../slack/blocks/filter-inputs.ts'
import { channelSelect, inviteHint, weekdayCheckboxes } from '../../slack/blocks/form-inputs.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { menuAgentId } from '../../slack/blocks/links.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import type { AlertHours, AlertRecord } from '../../store/alerts.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import type { Zone } from '../../time/types.ts'

export const title = 'Missed-call alert'

/** The most of an alert: the phone service is asked once for each agent. */
export const MOST_AGENTS = 10
export const MOST_LINES = 60
/** As the rows allow. */
export const CALLS = { least: 2, most: 100, usual: 3 } as const
export const MINUTES = { least: 1, most: 60, usual: 10 } as const
const usualHours: AlertHours = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }

/** What the choices are that other inputs depend on. */
export interface Choices {
  /** Empty where no channel is chosen. */
  readonly channel: string
  readonly when: 'each' | 'several'
  readonly hours: 'always' | 'chosen'
}

export interface AlertForm extends Choices {
  readonly team: Tenant
  /** Where the form was opened; empty in a view that belongs to no channel. */
  readonly openedIn: string
  /** The chosen channel's. */
  readonly zone: Zone | undefined
  readonly names: LineNames
  /** The one that is changed; none: it is a new one. */
  readonly alert: AlertRecord | undefined
  /** The list that it was opened from. */
  readonly list: ListPlace | undefined
}

/** What it begins with. @param here the channel that is chosen then */
export const choicesOf = (alert: AlertRecord | undefined, here: string): Choices => ({
  channel: alert?.channel ?? here,
  when: alert?.threshold ? 'several' : 'each',
  hours: alert?.hours ? 'chosen' : 'always',
})

const whenOptions = [option('Each missed call', 'each'), option('Only when several are missed', 'several')]
const hoursOptions = [option('At any time', 'always'), option('Only on these days and hours', 'chosen')]

/** Choices that other inputs depend on. */
export const alertChoices = {
  channel: action('calls.alert.channel'),
  when: action('calls.alert.when'),
  hours: action('calls.alert.hours'),
}

/** The choice is told at once, for the inputs that depend on it. */
const dispatching = (block: types.InputBlock): types.InputBlock => ({ ...block, dispatch_action: true })

const channelInput = (channel: string): types.InputBlock =>
  dispatching(
    input('channel', 'Channel', channelSelect(alertChoices.channel.id, channel), { hint: inviteHint }),
  )

/** Those with names to choose from, and any other number to write. */
function lineInputs({ names, alert }: AlertForm): types.InputBlock[] {
  const options = names.lines
    .slice(0, LIMITS.options)
    .map(({ number }) => option(names.labelOf(number), number))
  const chosen = alert?.lines ?? []
  const initial = options.filter(({ value }) => chosen.includes(value))
  const others = chosen.filter((number) => !options.some(({ value }) => value === number)).join(', ')
  const menu: types.MultiStaticSelect = {
    type: 'multi_static_select',
    action_id: 'lines',
    placeholder: plain('All lines', LIMITS.placeholder),
    options,
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  }
  const numbers: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: 'numbers',
    // As many lines as may be chosen.
    max_length: 1500,
    placeholder: plain('+44 20 7946 0042, +1 202 555 0142', LIMITS.placeholder),
    ...(others === '' ? {} : { initial_value: others }),
  }
  const hint = 'Your own numbers with the country code, and commas between them.'
  const [label, whole] =
    options.length > 0 ? ['Lines without a name', hint] : ['Lines', `${hint} Leave it empty for all lines.`]
  return [
    ...(options.length > 0 ? [input('lines', 'Lines', menu, { isOptional: true })] : []),
    input('numbers', label, numbers, { hint: whole, isOptional: true }),
  ]
}

function agentsInput({ alert }: AlertForm): types.InputBlock {
  const initial = (alert?.agents ?? []).map(({ id, name }) => option(name || id, menuAgentId({ id })))
  const element: types.MultiExternalSelect = {
    type: 'multi_external_select',
    action_id: agentMenuId,
    min_query_length: 0,
    max_selected_items: MOST_AGENTS,
    placeholder: plain('All agents', LIMITS.placeholder),
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  }
  return input('agents', 'Agents', element, { isOptional: true })
}

function numberInput(
  id: 'calls' | 'minutes',
  label: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): types.InputBlock {
  const element: types.NumberInput = {
    type: 'number_input',
    action_id: id,
    is_decimal_allowed: false,
    min_value: String(least),
    max_value: String(most),
    initial_value: String(value),
  }
  return input(id, label, element)
}

function whenInputs({ when, alert }: AlertForm): types.InputBlock[] {
  const { calls, minutes } = alert?.threshold ?? { calls: CALLS.usual, minutes: MINUTES.usual }
  return [
    dispatching(input('when', 'Post', select(alertChoices.when.id, whenOptions, when))),
    ...(when === 'several'
      ? [
          numberInput('calls', 'How many missed calls', calls, CALLS),
          numberInput('minutes', 'Within how many minutes', minutes, MINUTES),
        ]
      : []),
  ]
}

function hoursInputs({ hours, alert, zone }: AlertForm): types.ModalView['blocks'] {
  const { weekdays, from, to } = alert?.hours ?? usualHours
  const own = zone === undefined ? '' : `: ${zone}`
  const hint = `In the channel's time zone${own}.`
  const menu = input('hours', 'Hours', select(alertChoices.hours.id, hoursOptions, hours), { hint })
  if (hours === 'always') return [dispatching(menu)]
  const time = (id: string, initial: string): types.Timepicker => ({
    type: 'timepicker',
    action_id: id,
    initial_time: initial,
  })
  return [
    dispatching(menu),
    input('weekdays', 'Days', weekdayCheckboxes(weekdays)),
    input('from', 'From', time('from', from)),
    input('to', 'Until', time('to', to), {
      hint: 'A time before the start is on the next day; the same time, the whole day.',
    }),
    context('What is missed outside these hours is posted in one message when they begin.'),
  ]
}

/** Which missed calls a channel is told of, and when. Pure. */
export function alertModal(form: AlertForm): types.ModalView {
  const { team, openedIn, channel, alert, list } = form
  return modal({
    id: VIEWS.alert,
    metadata: writeOrigin(team, openedIn, formOrigin.parse({ id: alert?.id, list })),
    title,
    submit: 'Save',
    blocks: [
      section(
        'Everyone in the channel sees when a call was missed, and on which line. Calls that are missed within the next ten minutes join the same message.',
      ),
      channelInput(channel),
      ...lineInputs(form),
      agentsInput(form),
      ...whenInputs(form),
      ...hoursInputs(form),
    ],
  })
}
