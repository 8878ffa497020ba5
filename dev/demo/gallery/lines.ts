import { callsActions } from '../../../src/features/calls/actions.ts'
import { listCommand } from '../../../src/features/calls/command.ts'
import type { ListQuery } from '../../../src/features/calls/query.ts'
import { ambiguousText, linesModal, savedModal, wordlessText } from '../../../src/features/lines/modal.ts'
import { askWhich } from '../../../src/slack/routing/query-command.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import { type FeatureSample, message, modal } from './sample.ts'
import { support, team } from './setting.ts'

const names = new LineNames([
  { number: '+493055501000', name: 'Sales Berlin' },
  { number: '+12025550142', name: 'Sales New York' },
])
const numbers = ['+493055501000', '+12025550142', '+442079460042']
const command = listCommand({ typed: '/calls', show: callsActions.show })
const query: ListQuery = { direction: 'incoming', status: 'missed', page: 1 }
const which = (name: string) => {
  const choices = names.matching(name).map(({ number }) => ({ text: names.labelOf(number), query }))
  return askWhich(command, { noun: 'line', name, query }, choices).message
}

export const lines: readonly FeatureSample[] = [
  modal('Names', linesModal(team, support, { numbers, names })),
  modal('Names that are not taken', linesModal(team, support, { numbers, names }), {
    'line-1': ambiguousText,
    'line-2': wordlessText,
  }),
  modal('No numbers', linesModal(team, support, { numbers: [], names: LineNames.none })),
  modal('Saved', savedModal(2)),
  message('A name that several lines have', which('sales')),
  message('A name that no line has', which('warehouse')),
]
