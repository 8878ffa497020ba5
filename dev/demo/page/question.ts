type Fields = Readonly<Record<string, string | boolean>>

/** A tool, and the fields that a question fills in. */
export interface ReadQuestion {
  readonly tool: string
  readonly args: Fields
  /** Fields that the question asks for and the tool doesn't have. */
  readonly missing: readonly string[]
}

/** Words that choose a tool, in the order in which they are tried, and the fields that it has. */
const topics = [
  { tool: 'show_billing', words: /\b(?:costs?|bills?|billing|pay|price|invoices?)\b/i, fields: [] },
  {
    tool: 'report_calls',
    words: /\b(?:report|figures|statistics|how many|how (?:did|was|were)|busiest|per|by)\b/i,
    fields: ['direction', 'status', 'range', 'agent', 'line', 'number', 'by'],
  },
  { tool: 'list_agents', words: /\b(?:agents?|who (?:answers|takes|works))\b/i, fields: [] },
  {
    tool: 'list_calls',
    words: /\b(?:call(?:s|ed)?|miss(?:ed)?|waiting|rang|phoned|diall?ed|(?:un)?answered)\b/i,
    fields: ['direction', 'status', 'range', 'open', 'agent', 'line', 'number'],
  },
  { tool: 'list_lines', words: /\b(?:numbers?|lines?)\b/i, fields: [] },
]

const ranges = [
  'today|yesterday',
  'this (?:morning|afternoon|evening|week|month)',
  'last (?:week|month|\\d+ days)',
  '\\d{4}-\\d\\d-\\d\\d',
  '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day',
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \\d{4})?',
].join('|')

const name = "(?!I\\b)\\p{Lu}[\\p{L}'’]+(?: \\p{Lu}[\\p{L}'’]+)*"

interface FieldWords {
  readonly field: string
  /** The group captures the value. */
  readonly words: RegExp
  readonly value?: string | boolean
}

/** Words that fill in a field. Those that were used don't fill in a later one. */
const fieldWords: readonly FieldWords[] = [
  { field: 'number', words: /(?<=\s)(\+?\d[\d ]{3,}\d)\b/ },
  { field: 'range', words: new RegExp(`\\b(${ranges})\\b`, 'i') },
  { field: 'open', words: /\bwaiting|nobody (?:has )?(?:took|taken)|not (?:been )?taken\b/i, value: true },
  { field: 'by', words: /\b(?:by|per|busiest) (line|agent|hour|weekday|day)\b/i },
  { field: 'line', words: /\b(?:on|to) (?:the |our )?(\w+(?: \w+)?) line\b/i },
  { field: 'line', words: new RegExp(`\\b(?:on|to|line) (${name})`, 'u') },
  { field: 'status', words: /\bunanswered|not answered|miss(?:ed)?\b/i, value: 'missed' },
  { field: 'status', words: /\banswered\b/i, value: 'answered' },
  { field: 'direction', words: /\boutgoing|diall?ed|we (?:made|called)\b/i, value: 'outgoing' },
  { field: 'direction', words: /\bincoming|came in|received\b/i, value: 'incoming' },
  { field: 'agent', words: /\bdid I|my\b/, value: 'me' },
  // A question begins with a capital letter, too.
  { field: 'agent', words: new RegExp(`(?<=\\S )(${name})`, 'u') },
]

function readFields(question: string): Fields {
  const fields: Record<string, string | boolean> = {}
  let left = question
  for (const { field, words, value } of fieldWords) {
    const match = words.exec(left)
    if (!match || fields[field] !== undefined) continue
    fields[field] = value ?? match[1] ?? ''
    left = left.replace(match[0], '…')
  }
  return fields
}

/** Chooses a tool and its fields by a few words; undefined if none of them is in the question. */
export function readQuestion(question: string): ReadQuestion | undefined {
  const topic = topics.find(({ words }) => words.test(question))
  if (!topic) return undefined
  const args: Record<string, string | boolean> = {}
  const missing: string[] = []
  for (const [field, value] of Object.entries(readFields(question))) {
    if (topic.fields.includes(field)) args[field] = value
    else missing.push(field)
  }
  return { tool: topic.tool, args, missing }
}
