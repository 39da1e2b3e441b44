// The plugin `visibility`: determines the audiences of a client, whose members see additional attributes.
import { form, type Plugin, reportFlaws } from '../../extend.ts'
import { type Audience, isAudience } from './audience.ts'

/** An audience, and the function that tests membership. */
export interface Membership {
  readonly audience: Audience
  readonly test: (principal: never) => boolean
}

/**
 * Defines the members of an audience. The function is called once for each request with a principal to an action with
 * such attributes. Only `true` makes the attributes visible.
 */
export const members = <P>(audience: Audience<P>, test: (principal: P) => boolean): Membership =>
  Object.freeze({ audience: audience as Audience, test: test as Membership['test'] })

const MEMBERSHIPS: form.SettingForm = form.list(
  form.object<Membership>({
    audience: form.required(form.custom("an audience, such as audience('staff')", isAudience)),
    test: form.required(form.callable),
  }),
)

/** Shows attributes that are declared with `visibleTo` to the members of their audiences. */
export function visibility(memberships: readonly Membership[]): Plugin {
  const flaws = MEMBERSHIPS.check(memberships)
  const valid = flaws.length === 0 ? memberships : []
  const names = valid.map(({ audience }) => audience.name)
  return Object.freeze({
    name: 'visibility',
    checkOptions(report) {
      reportFlaws('visibility', flaws, report)
      for (const name of new Set(names.filter((one, i) => names.indexOf(one) !== i)))
        report('visibility', `the audience '${name}' is listed twice`, 'give each audience one function')
    },
    audiences: Object.fromEntries(
      valid.map(({ audience, test }) => [
        audience.name,
        // Anonymous clients belong to no audience.
        ({ principal }) => principal !== undefined && (test as (principal: unknown) => boolean)(principal),
      ]),
    ),
  } satisfies Plugin)
}
