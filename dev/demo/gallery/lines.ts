import { readLineWords } from '../../../src/features/calls/line-words.ts'
import { ambiguousText, linesModal, savedModal, wordlessText } from '../../../src/features/lines/modal.ts'
import { splitWords } from '../../../src/slack/routing/command-words.ts'
import { LineNames } from '../../../src/telephony/line-names.ts'
import { type FeatureSample, message, modal } from './sample.ts'
import { support, team } from './setting.ts'

const names = new LineNames([
  { number: '+493055501000', name: 'Sales Berlin' },
  { number: '+12025550142', name: 'Sales New York' },
])
const numbers = ['+493055501000', '+12025550142', '+442079460042']
const asked = readLineWords(splitWords('missed line:sales'), names)
const unknown = readLineWords(splitWords('line:warehouse'), names)

export const lines: readonly FeatureSample[] = [
  modal('Names', linesModal(team, support, { numbers, names })),
  modal('Names that are not taken', linesModal(team, support, { numbers, names }), {
    'line-1': ambiguousText,
    'line-2': wordlessText,
  }),
  modal('No numbers', linesModal(team, support, { numbers: [], names: LineNames.none })),
  modal('Saved', savedModal(2)),
  ...('answer' in asked ? [message('A name that several lines have', asked.answer.message)] : []),
  ...('answer' in unknown ? [message('A name that no line has', unknown.answer.message)] : []),
]
