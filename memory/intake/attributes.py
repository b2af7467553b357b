"""A model's name for an attribute becomes the rules' stable key, so that whichever judge wrote a side, both compare."""

import re

_SAME = {
    "residence": "lives_in live_in lives living_in home home_city city city_of_residence current_city "
    "current_residence current_location address home_address place_of_residence based_in resides_in moved_to 居住地 "
    "住址 住处 现居地 居住城市",
    "hometown": "home_town from comes_from grew_up_in native_place 家乡 老家 籍贯",
    "birthplace": "born_in place_of_birth birth_place 出生地",
    "birthday": "date_of_birth birth_date birthdate dob born_on 生日 出生日期",
    "age": "years_old 年龄",
    "name": "full_name first_name called user_name 姓名 名字",
    "employer": "company works_at works_for workplace work_place organization organisation current_employer 公司 雇主 "
    "工作单位 单位",
    "occupation": "job profession job_title works_as career work 职业 工作",
    "role": "position_title title 职位 职务 角色",
    "school": "university college studies_at education 学校 大学",
    "spouse": "wife husband married_to partner 配偶 妻子 丈夫",
    "marital": "marital_status married 婚姻状况 婚姻",
    "relation": "relationship family relative friend 关系",
    "pet": "pets has_pet dog cat 宠物",
    "language": "languages speaks native_language 语言",
    "allergy": "allergies allergic_to is_allergic_to food_allergy 过敏 过敏原",
    "diet": "dietary_preference dietary_restriction dietary_restrictions eating_habits 饮食 饮食习惯",
    "likes": "like loves love enjoys enjoy interest interests hobby hobbies fond_of favorite_thing 喜欢 爱好 兴趣",
    "dislikes": "dislike hates hate avoids 不喜欢 讨厌",
    "prefers": "preference preferred prefer 偏好 更喜欢",
    "owns": "has possession possesses vehicle car 拥有",
    "contact": "email phone phone_number contact_method preferred_contact 联系方式 电话 邮箱",
    "commute": "commutes_by transport transportation 通勤",
    "schedule": "meeting_time appointment time 日程 时间安排",
    "deadline": "due_date due 截止日期 期限",
    "project": "works_on working_on current_project 项目",
    "uses_tool": "uses tool tools software editor 使用 工具",
    "can": "able_to ability skill skills 能力 技能",
    "wears": "clothing_size size_worn 穿着",
    "runs_on": "platform operating_system 运行环境",
}  # fmt: skip
_STABLE = {name: stable for stable, names in _SAME.items() for name in (stable, *names.split())}


def stable(named: str) -> str:
    """The rules' key for what the model calls it; its own word as a key when the rules have none, "" when it is not
    one: longer than a few words, or in letters that keys are not written in."""
    key = re.sub(r"[\s\-]+", "_", named.strip().lower())
    if key in _STABLE:
        return _STABLE[key]
    bare = re.sub(r"^(?:user_?s?_|the_|my_|current_|is_)+", "", key)
    if bare in _STABLE:
        return _STABLE[bare]
    return bare if re.fullmatch(r"[a-z][a-z0-9_:]{0,39}", bare) and bare.count("_") <= 3 else ""


def is_known(attribute: str) -> bool:
    """True when the rules have this key too."""
    return attribute in _SAME
