"""Words that say nothing about what a text is about, in English and Chinese."""

ENGLISH = frozenset(
    """
    a about after again all also am an and any are aren as at be because been before being both but by can cannot
    could couldn did didn do does doesn doing don done down each either else ever every few for from further get gets
    getting go goes going gonna got had hadn has hasn have haven having he her here hers herself him himself his how
    however i if in into is isn it its itself just let like ll may maybe me might mine more most much must my myself
    neither no nor not now of off oh ok okay on once one only onto or other our ours ourselves out over own per
    perhaps please quite rather re really said same say says she should shouldn since so some such than that the
    their theirs them themselves then there these they thing things this those though through to too u under until up
    upon us ve very was wasn we well were weren what whatever when where whether which while who whom whose why will
    with within without won would wouldn yeah yep yes yet you your yours yourself yourselves
    """.split()  # noqa: SIM905 - one block of words reads better than a list of strings
)

CHINESE = frozenset(
    """
    的 地 得 了 着 过 是 在 和 与 跟 及 或 而 且 但 但是 而且 并 并且 也 都 就 还 又 再 才 只 很 太 更 最 挺 真
    真的 非常 特别 我 你 您 他 她 它 咱 我们 你们 您们 他们 她们 它们 咱们 自己 大家 这 那 这个 那个 这些 那些
    这样 那样 这么 那么 这里 那里 这儿 那儿 哪 哪个 哪些 哪里 哪儿 谁 什么 怎么 怎样 怎么样 怎么办 为什么 如何
    多少 几 吗 呢 吧 啊 呀 哦 噢 哈 哈哈 嗯 嘛 啦 哇 哎 唉 喔 不 没 没有 不是 有 会 能 能够 可以 可能 应该 要 想
    把 被 让 给 对 对于 关于 从 向 往 到 于 以 以及 因为 所以 如果 虽然 不过 然后 之 其 个 一个 一些 一下 有点
    有些 一点 一样 上 下 中 里 来 去 说 觉得 知道 记得 还有 还是 已经 曾经 正在 时候 当时 现在 好 好的 年 月 日
    号 是的 是不是 对吗 请 请问 谢谢 你好
    """.split()  # noqa: SIM905 - one block of words reads better than a list of strings
)
