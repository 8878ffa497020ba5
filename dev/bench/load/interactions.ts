import { availableParallelism } from 'node:os'
import { Exports } from './exports.ts'
import { onStage, type Stage, throughFaults } from './faults.ts'
import { asked, type Result, Results, resultOfError, resultOfMessage } from './outcomes.ts'

export interface InteractionSizes {
  readonly workspaces: number
  readonly seconds: number
  readonly perSecond: number
}

async function send(
  { slack, apps }: Stage,
  n: number,
  { sizes, exports, results }: { sizes: InteractionSizes; exports: Exports; results: Results },
): Promise<void> {
  const { workspaces, seconds, perSecond } = sizes
  const sent = asked(n, { all: seconds * perSecond, workspaces })
  const { what, interaction } = sent
  const add = (result: Result, more: { ackMs?: number; text: string }) => {
    results.add(what, result, more)
    if (what === 'export') exports.answered(interaction.team, result)
  }
  // By turns; where one refuses the connection, the other is asked, as a load balancer does.
  const [first, second] = n % 2 === 0 ? apps.up : [...apps.up].reverse()
  for (const app of [first, second]) {
    if (!app) continue
    try {
      const { text, ackMs } = await slack.send(app.url, interaction)
      return add(resultOfMessage(text, sent), { ackMs, text })
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && app === first) continue
      return add(resultOfError(error, apps.wasKilled(app.url)), { text: String(error) })
    }
  }
  add('told by Slack', { text: 'no process was up' })
}

/** What becomes of every interaction, and of every export's file. @returns lines of text */
export async function interactions(sizes: InteractionSizes): Promise<readonly string[]> {
  const { workspaces, seconds, perSecond } = sizes
  const [exports, results] = [new Exports(), new Results()]
  return onStage({ inbox: exports, workspaces }, async (stage) => {
    const before = await stage.apps.memory()
    const sent: Promise<void>[] = []
    await throughFaults(stage, seconds, {
      work: (elapsed) => {
        while (sent.length < elapsed * perSecond)
          sent.push(send(stage, sent.length, { sizes, exports, results }))
      },
    })
    await Promise.all(sent)
    await exports.ended()
    const after = await stage.apps.memory()
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${perSecond} interactions a second for ${seconds} s`,
      '',
      `sent                      ${results.sent}`,
      `acknowledged within 3 s   ${results.acknowledgedInTime}`,
      `answered rightly          ${results.count('right')}`,
      `answered with an apology  ${results.count('apology')}`,
      `told so by Slack itself   ${results.count('told by Slack')}`,
      `lost with the killed one  ${results.count('killed')} (acknowledged clicks that the process was working on)`,
      `lost otherwise            ${results.count('lost')}`,
      `wrong                     ${results.count('wrong')}`,
      `of another workspace      ${results.count("another's")}`,
      `reports                   ${results.summary('report')}`,
      `number searches           ${results.summary('number search')}`,
      ...exports.report(),
      `resident memory           ${before} at the start, ${after} at the end`,
      ...results.samples,
    ]
  })
}
