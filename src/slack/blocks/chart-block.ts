/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block: not among the types of `@slack/types` yet. */
export interface ChartBlock {
  readonly type: 'data_visualization'
  readonly block_id: string
  readonly title: string
  readonly chart: {
    readonly type: 'bar'
    readonly series: readonly {
      readonly name: string
      readonly data: readonly { readonly label: string; readonly value: number }[]
    }[]
    readonly axis_config: { readonly categories: readonly string[] }
  }
}
