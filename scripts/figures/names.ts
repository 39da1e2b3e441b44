// Classifies names of functions: beginning with a verb, `xOf`, or a bare participle.

/** Verbs that names of functions begin with; third persons and participles do not count. */
const verbs: ReadonlySet<string> = new Set(
  `abort accept add adjust admit advance align allow analyse answer append apply arrange ask assemble assert assign assume attach
  await back backfill balance batch begin bind block boot bound bracket branch break bridge bring broadcast buffer build bump bundle
  cache calculate call cancel capture cast catch chain change check choose chunk clamp claim classify clean clear clip clone close
  coalesce collapse collate collect combine come commit compact compare compile complete compose compress compute concat conclude
  configure confirm connect consider construct consume contain continue convert copy correct count cover crash create cross cut
  cycle deal debug decide declare decode decorate decrypt deduplicate deep default defer define delay delegate delete deliver demand
  denote deny depend derive describe deserialize destroy detach detect determine diff digest direct disable discard disconnect
  dispatch display dispose distinguish distribute divide document download drain draw drop dump duplicate echo edit eject elect
  embed emit enable encode encrypt end enforce enqueue ensure enter enumerate erase escape establish estimate evaluate examine
  exchange exclude execute exist exit expand expect expire explain export expose express extend extract fail fall fetch fill filter
  finalize find finish fit fix flag flatten flip flush fold follow forbid force forget fork form format forward free freeze from gather
  generate get give go grant greet group grow guard guess guide halt hand handle hang hash have head help hide highlight hold hoist
  identify ignore implement import include increase increment indent index indicate infer inform inherit init initialize inject
  inline insert insist inspect install instrument intercept interpolate interpret interrupt intersect introduce invalidate invert
  invoke isolate issue iterate join judge jump keep kill know label launch lay lead learn leave lend lengthen let lift limit line
  link list listen load localize locate lock log look loop lower make manage map mark mask match materialize measure meet memoize
  mend merge migrate minimize mint mirror mix mock modify mount move multiply mutate name narrow need negate negotiate nest normalize
  note notice notify number observe obtain occupy offer omit open operate opt order organize outline overlay overlap override own pack
  pad page paginate pair parse partition pass patch pause peek percent permit pick pin pipe place plan play point poll pop populate
  position post precede predict prefer prefix prepare prepend present preserve press prevent print probe proceed process produce
  profile project promise promote prompt prove provide prune publish pull pump punctuate purge push put quantify query queue quote
  raise randomize rank read reach realize reattach rebuild recall receive reckon recognize reconnect record recover recurse redact
  redirect reduce refer refine reflect refresh refuse regard register reject relate relax release reload remember remove rename render
  renew reopen repeat replace replay reply report represent request require reroute reserve reset resize resolve respond restart
  restore restrict resume retain retire retrieve retry return reuse reveal reverse revert review revise revive revoke rewrite rotate
  round route run sample satisfy save say scale scan schedule scope score scroll seal search secure see seed select send separate
  sequence serialize serve set settle setup shape share shift shorten show shrink shuffle shut sign signal simplify simulate sit size
  skip sleep slice slow sniff sort sound spawn specify speak split spread squash stack stage stamp start state stay step stop store
  stream stringify strip structure style subscribe substitute subtract suggest sum summarize supply support suppress suspend swap
  switch sync synthesize tag take talk tally target teach tear tell terminate test think throttle throw tie time toggle tokenize touch
  trace track trail train transfer transform translate transpose traverse treat trigger trim truncate trust try tune turn type
  unbind unescape unflatten unfold uninstall union unlink unlock unpack unquote unregister unseal unset unsubscribe untie unwrap
  update upgrade upload upsert use validate vary verify view visit vote wait wake walk want warn watch weigh widen wipe wire wrap write
  yield zip is are has have can may must should does did was were will to with without as if on`
    .trim()
    .split(/\s+/),
)

/** Participles that do not end in "ed" or "ing". */
const irregular: ReadonlySet<string> = new Set(
  `begun bound born broken brought built bought caught chosen cut done drawn driven fallen felt found forgotten given gone grown held
  heard hidden hung kept known laid led left lent let lost made meant met paid put read run said seen sent set shown shut spent
  split spread stood sworn taken taught thought told torn understood unsaid worn woven written`
    .trim()
    .split(/\s+/),
)

/** Returns the first word of a name in camel case. */
const getFirstWord = (name: string): string => /^[A-Z]?[a-z0-9]*/.exec(name)?.[0].toLowerCase() ?? name

/** Returns whether a name begins with a verb; `nameOf` begins with a noun that is also a verb. */
export const hasLeadingVerb = (name: string): boolean => verbs.has(getFirstWord(name)) && !hasOfSuffix(name)

/** Returns whether a name has the form `xOf`. */
export const hasOfSuffix = (name: string): boolean => /[a-z0-9]Of$/.test(name)

/** Returns whether a name is a single participle that is not also a verb form in the list. */
export const isBareParticiple = (name: string): boolean =>
  /^[a-z]+$/.test(name) && !verbs.has(name) && (/(?:ed|ing)$/.test(name) || irregular.has(name))
