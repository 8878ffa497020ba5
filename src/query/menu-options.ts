import type { Services } from '../services.ts'
import { LIMITS, type Option } from '../slack/blocks/blocks.ts'
import type { OptionsRoute } from '../slack/routing/routes.ts'
import { AgentLabels, hasId } from '../telephony/agent-labels.ts'
import { searchLines } from '../telephony/lines.ts'
import { filterByName } from '../util/names.ts'
import { isBlank } from '../util/text.ts'
import { AGENT_MENU, agentOption, LINE_MENU, lineOption } from './fields.ts'

/** Slack refuses a menu with a blank option, or with two of one value. */
function listOptions<T>(items: readonly T[], toOption: (item: T) => Option): readonly Option[] {
  const options = new Map<string, Option>()
  for (const item of items) {
    const added = toOption(item)
    if (!isBlank(added.value) && !options.has(added.value)) options.set(added.value, added)
    if (options.size === LIMITS.options) break
  }
  return [...options.values()]
}

export const menuOptions = ({ agentList, lineList, workspaces }: Services): readonly OptionsRoute[] => [
  {
    action: AGENT_MENU,
    needs: 'calls',
    async handle({ interaction: { tenant }, typed }) {
      const agents = await agentList.list(await workspaces.account(tenant))
      const labels = new AgentLabels(agents)
      const found = filterByName(agents.filter(hasId), typed)
      return listOptions(found, (agent) => agentOption(agent.id, labels.get(agent)))
    },
  },
  {
    action: LINE_MENU,
    needs: 'calls',
    async handle({ interaction: { tenant }, typed }) {
      const names = await workspaces.lineNames(tenant)
      const called = await lineList.numbers(await workspaces.account(tenant))
      const found = searchLines(names.mergeNumbers(called), names, typed)
      return listOptions(found, (number) => lineOption(number, names))
    },
  },
]
