import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ActionResult, ShownTool } from '../api-types.ts'
import { send } from './api.ts'
import type { ElementAction } from './blocks/block-context.ts'
import { Blocks } from './blocks/blocks.tsx'
import { asList, asObject, asText } from './blocks/read.ts'
import { Problem } from './message.tsx'
import { usePage } from './page-context.ts'

function Field({ name, description, type, isRequired, choices }: ShownTool['fields'][number]) {
  const id = `argument-${name}`
  const attributes = { id, name, class: 'field', required: isRequired, 'aria-describedby': `${id}-hint` }
  return (
    <div class="stack">
      <label for={id}>{name}</label>
      {choices.length > 0 ? (
        <select {...attributes}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          type="text"
          inputMode={type === 'integer' ? 'numeric' : 'text'}
          autoComplete="off"
        />
      )}
      <p class="note" id={`${id}-hint`}>
        {description}
      </p>
    </div>
  )
}

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
  { question: 'What does our phone account cost?', tool: 'show_billing', args: {} },
]

/** Slackbot without its model: you choose an example, or a tool and its fields. */
export function AskSlackbot() {
  const { user, people, channels } = usePage().state
  const [tools, setTools] = useState<readonly ShownTool[]>([])
  const [chosen, setChosen] = useState('')
  const [result, setResult] = useState<ActionResult>({})
  /** Element or example that is waiting for its answer, or `form`. */
  const [busy, setBusy] = useState<string>()
  useEffect(() => {
    void send({ kind: 'tools', user }).then(({ tools: found = [] }) => setTools(found))
  }, [user])
  // The answer is below a form that fills the window.
  const screen = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => screen.current?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [result])
  const tool = tools.find(({ name }) => name === chosen) ?? tools[0]
  if (!tool) return <p class="quiet">One moment…</p>

  async function call(name: string, args: object, what: string): Promise<void> {
    if (busy !== undefined) return
    setBusy(what)
    try {
      setResult(await send({ kind: 'tool', user, tool: name, args: { ...args } }))
    } finally {
      setBusy(undefined)
    }
  }

  function onSubmit(event: Event) {
    event.preventDefault()
    if (!tool || !(event.currentTarget instanceof HTMLFormElement)) return
    const entered = new FormData(event.currentTarget)
    const args = tool.fields.flatMap(({ name, type }) => {
      const value = String(entered.get(name) ?? '').trim()
      return value === ''
        ? []
        : [[name, type === 'integer' ? Number(value) : type === 'boolean' || value] as const]
    })
    void call(tool.name, Object.fromEntries(args), 'form')
  }

  const { answer, problem } = result
  return (
    <div class="timeline slackbot stack" ref={screen}>
      <p class="note">
        No model runs here. In Slack, Slackbot chooses a tool for your question and fills in its fields. Here
        you do: try an example, or choose a tool. <em>Traffic</em> shows the signed request.
      </p>
      <div class="row">
        {examples.map(({ question, tool, args }) => (
          <button key={question} type="button" class="button" onClick={() => void call(tool, args, question)}>
            {question}
          </button>
        ))}
      </div>
      <form class="card stack" onSubmit={onSubmit}>
        <label for="tool">Tool</label>
        <select
          id="tool"
          class="field"
          aria-describedby="tool-hint"
          value={tool.name}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {tools.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <p class="note" id="tool-hint">
          {tool.description}
        </p>
        <div class="slackbot-fields" key={tool.name}>
          {tool.fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
        </div>
        <button type="submit" class="button primary" aria-busy={busy === 'form'}>
          Ask Slackbot
        </button>
      </form>
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
