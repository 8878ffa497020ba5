import { useState } from 'preact/hooks'
import type { ActionResult } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import type { ElementAction } from './blocks/field.ts'
import { asList, asObject, asText } from './blocks/read.ts'
import { send, usePage } from './hooks.ts'
import { Problem } from './message.tsx'

/** Returns a tool's arguments from the clicked button or the chosen option. */
function readArguments(blocks: readonly unknown[], { blockId, actionId, choose }: ElementAction): unknown {
  const block = blocks.map(asObject).find((one) => one['block_id'] === blockId)
  const element = asList(block?.['elements']).find((one) => one['action_id'] === actionId)
  return JSON.parse(typeof choose === 'string' ? choose : asText(element?.['value']))
}

/** Questions with the tool and the arguments that a model would choose. */
const examples = [
  {
    question: 'Which calls did we miss yesterday?',
    tool: 'list_calls',
    args: { status: 'missed', range: 'yesterday' },
  },
  { question: 'How did last week go?', tool: 'report_calls', args: { range: 'last week' } },
  { question: 'Who answers our calls?', tool: 'list_agents', args: {} },
  { question: 'Which numbers do we have?', tool: 'list_lines', args: {} },
  { question: 'What does our phone account cost?', tool: 'show_billing', args: {} },
]

/** Slackbot without its model: a question for each tool. */
export function AskSlackbot() {
  const { user, people, channels } = usePage().state
  const [{ answer, problem }, setResult] = useState<ActionResult>({})
  /** Element or question that is waiting for its answer. */
  const [busy, setBusy] = useState<string>()

  async function call(tool: string, args: object, what: string): Promise<void> {
    if (busy !== undefined) return
    setBusy(what)
    try {
      setResult(await send({ kind: 'tool', user, tool, args: { ...args } }))
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <div class="timeline slackbot stack">
      <p class="note">
        No model runs here. In Slack, Slackbot chooses a tool for your question and fills in its fields. Ask
        one of these questions; <em>Traffic</em> shows the signed request.
      </p>
      <div class="row">
        {examples.map(({ question, tool, args }) => (
          <button
            key={question}
            type="button"
            class="button"
            aria-busy={busy === question}
            onClick={() => void call(tool, args, question)}
          >
            {busy === question && <span class="spinner" />}
            {question}
          </button>
        ))}
      </div>
      <Problem text={problem} />
      {answer && (
        <article class="card" aria-label="Slackbot's answer" aria-live="polite">
          {answer.blocks.length === 0 ? (
            <pre class="slackbot-text">{answer.text}</pre>
          ) : (
            <Blocks
              blocks={answer.blocks}
              surface="message"
              directory={{ people, channels }}
              busy={busy}
              onAction={(action) =>
                void call(
                  action.actionId.slice('tool:'.length),
                  Object(readArguments(answer.blocks, action)),
                  `${action.blockId}/${action.actionId}`,
                )
              }
            />
          )}
        </article>
      )}
    </div>
  )
}
