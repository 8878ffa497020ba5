import { z } from 'zod'
import { type Block, button, LIMITS } from './blocks.ts'
import { type LinkedPages, listPageSteps } from './paging.ts'

/** @param description for the model */
export const textArgument = (maxLength: number, description: string) =>
  z
    .string()
    .max(maxLength)
    .overwrite((text) => text.toWellFormed())
    .optional()
    .describe(description)

/** Slack passes values as tool arguments: https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
export class ToolAction<Args extends object> {
  readonly tool
  readonly input

  constructor(tool: string, input: z.ZodObject & z.ZodType<Args>) {
    this.tool = tool
    this.input = input
  }

  /** Action ids must be unique in their block, so each button has its own. */
  row(text: string, args: Args): Block[] {
    const value = JSON.stringify(args)
    if (value.length > LIMITS.buttonValue) return []
    return [{ type: 'actions', elements: [button(`tool:${this.tool}`, text, value)] }]
  }

  paging(pages: LinkedPages, argsFor: (page: number) => Args): Block[] {
    return listPageSteps(pages).flatMap(({ label, page }) => this.row(label, argsFor(page)))
  }
}
