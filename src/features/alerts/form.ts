import { callerUnknownText } from '../../grammar/sentences.ts'
import { type FormSetting, plannedActions } from '../../planned/kind.ts'
import { action } from '../../slack/blocks/action.ts'
import { type Block, context, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { menuAgentId } from '../../slack/blocks/links.ts'
import {
  agentsField,
  channelField,
  choice,
  joinHint,
  linesField,
  number,
  person,
  time,
  weekdays,
} from '../../slack/forms/fields.ts'
import { type Errors, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { AlertHours, AlertRecord } from '../../store/alerts.ts'
import { LineNames, lineKey } from '../../telephony/lines.ts'

/** The most of an alert: the phone service is asked once for each agent. */
const MOST_AGENTS = 10
const MOST_LINES = 60
const usualHours: AlertHours = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }

export const alertActions = plannedActions('calls.alert')
/** Choices that other inputs depend on, beside the channel's. */
export const alertChoices = {
  where: action('calls.alert.where'),
  when: action('calls.alert.when'),
  hours: action('calls.alert.hours'),
}

type Setting = Pick<FormSetting<AlertRecord>, 'record' | 'channel' | 'person' | 'zone'> & {
  readonly names: LineNames
}

function formOf(
  { names, record: alert, channel, person: self, zone }: Setting,
  isDirect = isPersonId(channel),
) {
  const chosen = isPersonId(channel) ? { channel: '', person: channel } : { channel, person: self }
  const whose = isDirect ? "the workspace's" : "the channel's"
  const { calls = 3, minutes = 10 } = alert?.threshold ?? {}
  const hours = alert?.hours ?? usualHours
  return new Form({
    where: choice(
      'Where',
      { channel: 'A channel', direct: 'Direct messages to a person' },
      isDirect ? 'direct' : 'channel',
      { redraw: alertChoices.where },
    ),
    channel: channelField(chosen.channel, { hint: joinHint, redraw: alertActions.actions.channel }).shownIf(
      'where',
      'channel',
    ),
    person: person('Person', chosen.person, {
      hint: 'Anyone else is asked to agree first.',
    }).shownIf('where', 'direct'),
    lines: linesField(alert?.lines ?? [], names, MOST_LINES),
    agents: agentsField(
      (alert?.agents ?? []).map(({ id, name }) => ({ id: menuAgentId({ id }), name: name || id })),
      MOST_AGENTS,
    ),
    when: choice(
      'Post',
      { each: 'Each missed call', several: 'Only when several are missed' },
      alert?.threshold ? 'several' : 'each',
      { redraw: alertChoices.when },
    ),
    calls: number('How many missed calls', { least: 2, most: 100, initial: calls }).shownIf(
      'when',
      'several',
    ),
    minutes: number('Within how many minutes', { least: 1, most: 60, initial: minutes }).shownIf(
      'when',
      'several',
    ),
    hours: choice(
      'Hours',
      { always: 'At any time', chosen: 'Only on these days and hours' },
      alert?.hours ? 'chosen' : 'always',
      {
        hint: zone === undefined || isDirect ? `In ${whose} time zone.` : `In ${whose} time zone: ${zone}.`,
        redraw: alertChoices.hours,
      },
    ),
    weekdays: weekdays('Days', hours.weekdays)
      .checked((days) => (days.length === 0 ? 'Choose at least one day.' : undefined))
      .shownIf('hours', 'chosen'),
    from: time('From', hours.from).shownIf('hours', 'chosen'),
    to: time('Until', hours.to, {
      hint: 'Earlier end = next day. Same time = all day.',
    }).shownIf('hours', 'chosen'),
  })
}

export function alertBlocks(
  setting: Setting,
  entered: FormSetting<AlertRecord>['entered'],
): readonly Block[] {
  const { where } = entered
  const inputs = formOf(setting, where === undefined ? undefined : where === 'direct').inputs(entered)
  const has = (id: string) => inputs.some(({ block_id }) => block_id === id)
  const who = has('person') ? 'The message says' : 'Everyone in the channel sees'
  return [
    section(
      `${who} when a call was missed, and on which line. ${callerUnknownText} Calls missed within the next ten minutes join the same message.`,
    ),
    ...inputs,
    ...(has('weekdays')
      ? [context('Calls missed outside these hours are posted in one message when the hours begin.')]
      : []),
  ]
}

export type AlertDraft = Pick<AlertRecord, 'channel' | 'lines' | 'threshold' | 'hours'> & {
  readonly agentIds: readonly string[]
}

/**
 * What a submitted form asks for; errors by the inputs' block ids; `incomplete` where it was submitted before the inputs
 * were there that its choices ask for. @throws {ForgedValueError}
 */
export function readAlert(
  view: ViewPayload,
): { readonly draft: AlertDraft } | { readonly errors: Errors } | 'incomplete' {
  const filled = formOf({
    names: LineNames.none,
    record: undefined,
    channel: '',
    person: '',
    zone: undefined,
  }).read(view)
  if (!filled.values) return filled.isIncomplete ? 'incomplete' : { errors: filled.errors }
  const { where: _, channel, person: chosen, agents, calls, minutes, from, to, ...own } = filled.values
  const lines = [...new Map(own.lines.map((line) => [lineKey(line), line])).values()]
  const threshold = calls === undefined || minutes === undefined ? undefined : { calls, minutes }
  const hours =
    own.weekdays === undefined || from === undefined || to === undefined
      ? undefined
      : { weekdays: own.weekdays, from, to }
  return {
    draft: { channel: chosen ?? channel ?? '', lines, threshold, hours, agentIds: [...new Set(agents)] },
  }
}
